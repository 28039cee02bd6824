"""Who may talk to the live page's server.  gdb runs what it is told, so nobody else may tell it anything.

The server listens on the loopback address only.  A request has to name that address (`Host`: a page of
another site whose name was made to lead here cannot), must not come from another site (`Origin`), and has
to know the token of this run.  Nothing is allowed across origins, so no header says so.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Guard:
    """The rules for the server at `port` of the loopback address; `token` is fresh for every run."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names by which the server may be addressed."""
        return tuple(f"{name}:{self.port}" for name in (LOOPBACK, "localhost"))

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def refusal(self, headers: Mapping[str, str], token: str, *, socket: bool) -> str:
        """Why a request is refused, "" when it is not; a socket is opened by our own page only."""
        host = headers.get("Host", "")
        if host not in self.hosts:
            return "this server answers under its loopback address only"
        origin = headers.get("Origin")
        if origin is None and socket:
            return "a socket is opened by the page only"
        if origin is not None and origin != f"http://{host}":
            return "requests of other sites are refused"
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            return "the token is not that of this run; the terminal shows the address of the page"
        return ""

    def headers(self) -> dict[str, str]:
        """What every answer says: run our own files only, embed us nowhere, keep nothing."""
        sockets = " ".join(f"ws://{host}" for host in self.hosts)
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
