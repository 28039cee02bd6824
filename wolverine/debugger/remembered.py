"""The user's breakpoints as gdb reported them, so that another gdb can be given the same."""

from __future__ import annotations

from dataclasses import dataclass, field

from wolverine.debugger.mi import Payload


@dataclass
class Remembered:
    """Follows gdb's notices; `commands` sets the breakpoints again."""

    newest: int = 0  # the number of the breakpoint that was made last
    _known: dict[int, Payload] = field(default_factory=dict)

    def notice(self, message: str, payload: Payload) -> None:
        """Take in one of gdb's notices."""
        if message in ("breakpoint-created", "breakpoint-modified"):
            record = payload.get("bkpt")
            if isinstance(record, list):
                record = record[0]
            if isinstance(record, dict) and str(record.get("number", "")).isdigit():
                number = int(record["number"])
                self._known[number] = record
                self.newest = max(self.newest, number)
        elif message == "breakpoint-deleted" and str(payload.get("id", "")).isdigit():
            self._known.pop(int(payload["id"]), None)

    def commands(self) -> list[str]:
        """gdb commands that make them anew, in order; what cannot be made without a process is left out."""
        found = []
        for _, record in sorted(self._known.items()):
            kind, where = str(record.get("type", "")), record.get("original-location")
            if kind == "breakpoint" and where and not str(where).startswith("*"):
                word = "tbreak" if record.get("disp") == "del" else "break"
                condition = f" if {record['cond']}" if "cond" in record else ""
                found.append(f"{word} {where}{condition}")
            elif "watchpoint" in kind and record.get("what"):
                found.append(f"watch {record['what']}")
            else:
                continue
            if script := record.get("script"):
                lines = "\n".join(map(str, script)) if isinstance(script, list) else str(script)
                found.append(f"python gdb.breakpoints()[-1].commands = {lines!r}")
            if record.get("enabled") == "n":
                found.append("disable $bpnum")
            if "ignore" in record:
                found.append(f"ignore $bpnum {record['ignore']}")
        return found

    def clear(self) -> None:
        """A new gdb knows none."""
        self._known.clear()
        self.newest = 0
