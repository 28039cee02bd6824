"""`python -m wolverine`."""

import sys

from wolverine.cli import main

if __name__ == "__main__":
    sys.exit(main())
