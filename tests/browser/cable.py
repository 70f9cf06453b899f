"""The line between one browser and the server, which a test cuts where it likes."""

from collections.abc import Awaitable, Callable

from playwright.async_api import BrowserContext, Route, WebSocketRoute

GOING_AWAY = 1001
Loss = Callable[[Route], Awaitable[None]]


async def before_the_server(route: Route) -> None:
    """Lose a request on its way there."""
    await route.abort("connectionfailed")


async def on_the_way_back(route: Route) -> None:
    """Let the server act, and lose its answer."""
    await route.fetch()
    await route.abort("connectionfailed")


class Cable:
    """Carries everything until it is cut; what is in the middle of it then is lost."""

    def __init__(self) -> None:
        self.is_cut = False
        self.sent: list[str] = []
        self._losses: dict[str, list[Loss]] = {}
        self._deaf: set[int] = set()
        self.sockets: list[WebSocketRoute] = []

    async def lay(self, context: BrowserContext) -> None:
        """Carry everything that pages of *context* exchange with the widget's server."""
        await context.route("**/widget/v1/**", self._carry)
        await context.route_web_socket("**/widget/v1/socket", self._carry_socket)

    async def cut(self) -> None:
        """Break all sockets, and let nothing through from now on."""
        self.is_cut = True
        await self.break_sockets()

    async def break_sockets(self) -> None:
        """Break what is open; new ones may come."""
        for socket in self.sockets:
            await socket.close(code=GOING_AWAY)
        self.sockets.clear()

    def deafen(self) -> None:
        """Let open sockets stay open and carry nothing, as when a machine sleeps or a network forgets them."""
        for socket in self.sockets:
            self._deaf.add(id(socket))
        self.sockets.clear()

    def mend(self) -> None:
        self.is_cut = False

    def lose(self, path: str, loss: Loss) -> None:
        """Lose the next request to *path*."""
        self._losses.setdefault(path, []).append(loss)

    async def _carry(self, route: Route) -> None:
        path = route.request.url.partition("/widget/v1/")[2].partition("?")[0]
        self.sent.append(path)
        losses = self._losses.get(path, [])
        if self.is_cut:
            await before_the_server(route)
        elif losses:
            await losses.pop(0)(route)
        else:
            await route.continue_()

    async def _carry_socket(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            await socket.close(code=GOING_AWAY)
            return
        server = socket.connect_to_server()
        self.sockets.append(socket)

        def carry(message: str | bytes) -> None:
            if id(socket) not in self._deaf:
                socket.send(message)

        server.on_message(carry)
