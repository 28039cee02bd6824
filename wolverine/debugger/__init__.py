"""The debugged process, held by gdb: run it, read it, change it, patch it, take it back."""

from wolverine.debugger.album import Album
from wolverine.debugger.compilation import compile_program
from wolverine.debugger.debugger import Debugger
from wolverine.debugger.hotpatch import PatchedCode
from wolverine.debugger.image import Image

__all__ = ["Album", "Debugger", "Image", "PatchedCode", "compile_program"]
