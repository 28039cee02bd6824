"""MI commands inside gdb: breakpoints that the user does not see.

-wolverine-break KEY SPEC TEMPORARY IGNORE   -> number (negative)
-wolverine-unbreak KEY
-wolverine-mute       disable the user's own breakpoints (those that are enabled)
-wolverine-unmute     enable them again
-wolverine-here       -> here=1 when one of the user's breakpoints is enabled at the pc, else 0; pc
-wolverine-pass TIMES -> here=1, and the first of the user's breakpoints that are enabled at the pc will not
                      stop the process for so many hits (an expression); here=0 when there is none
-wolverine-tidy LOW-HIGH ...
                      disable the locations of the user's breakpoints in these address ranges (entries
                      of functions that lead to patched code), enable those disabled before elsewhere
"""

import gdb

_own = {}
_muted = []
_hidden = set()


def _remove(key):
    breakpoint = _own.pop(key, None)
    if breakpoint is not None and breakpoint.is_valid():
        breakpoint.delete()


class Break(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-break")

    def invoke(self, arguments):
        key, spec, temporary, ignore = arguments
        _remove(key)
        breakpoint = gdb.Breakpoint(spec, internal=True, temporary=temporary == "1")
        if int(ignore):
            breakpoint.ignore_count = int(ignore)
        _own[key] = breakpoint
        return {"number": breakpoint.number}


class Unbreak(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-unbreak")

    def invoke(self, arguments):
        _remove(arguments[0])
        return {}


class Mute(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-mute")

    def invoke(self, arguments):
        for breakpoint in gdb.breakpoints():
            if breakpoint.number > 0 and breakpoint.enabled:
                breakpoint.enabled = False
                _muted.append(breakpoint)
        return {}


class Unmute(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-unmute")

    def invoke(self, arguments):
        while _muted:
            breakpoint = _muted.pop()
            if breakpoint.is_valid():
                breakpoint.enabled = True
        return {}


def _here():
    pc = gdb.newest_frame().pc()
    for breakpoint in gdb.breakpoints():
        if breakpoint.number <= 0 or not breakpoint.enabled:
            continue
        locations = getattr(breakpoint, "locations", None)
        if locations is None or any(each.address == pc and each.enabled for each in locations):
            yield breakpoint


class Here(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-here")

    def invoke(self, arguments):
        return {"here": int(any(_here())), "pc": hex(gdb.newest_frame().pc())}


class Pass(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-pass")

    def invoke(self, arguments):
        (times,) = arguments
        for breakpoint in _here():
            if not hasattr(breakpoint, "locations"):  # before gdb 13
                break
            breakpoint.ignore_count = int(gdb.parse_and_eval(times))
            return {"here": 1}
        return {"here": 0}


class Tidy(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-tidy")

    def invoke(self, arguments):
        ranges = [tuple(int(part, 16) for part in each.split("-")) for each in arguments]
        for breakpoint in gdb.breakpoints():
            # Locations are objects since gdb 13; before, such a breakpoint is met twice.
            for location in getattr(breakpoint, "locations", ()) if breakpoint.number > 0 else ():
                self._location(breakpoint.number, location, ranges)
        return {}

    def _location(self, number, location, ranges):
        if location.address is None:
            return
        key = (number, location.address)
        hidden = any(low <= location.address < high for low, high in ranges)
        if hidden and location.enabled:
            location.enabled = False
            _hidden.add(key)
        elif not hidden and key in _hidden:
            location.enabled = True
            _hidden.discard(key)


Here()
Pass()
Tidy()
Break()
Unbreak()
Mute()
Unmute()
