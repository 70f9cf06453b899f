"""The content security policy of our pages."""


def page_policy(*, connect: str = "'self'", frame: str = "'none'", ancestors: str = "'none'") -> str:
    """Everything from our own origin, nothing inline, nothing else."""
    directives = (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        f"connect-src {connect}",
        f"frame-src {frame}",
        f"frame-ancestors {ancestors}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(directives)


def with_socket(origin: str) -> str:
    """Return what such a page may connect to, its WebSocket too: some browsers do not count that as 'self'."""
    return f"'self' ws{origin.removeprefix('http')}"
