"""Being a page without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def talked(conversation: Coroutine[Any, Any, T]) -> T:
    """What a conversation comes to; it has a thread of its own, since a browser's loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, conversation).result()
