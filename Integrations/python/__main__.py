"""``python -m artworkd`` runs the tool."""

import os
import sys

from .tool import executable

os.execv(executable(), ["artworkd", *sys.argv[1:]])
