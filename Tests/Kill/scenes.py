"""All scenes, in the order in which they are run and shown."""

import scenes_sync  # noqa: F401
import scenes_attach  # noqa: F401
import scenes_mend  # noqa: F401
import scenes_adopted  # noqa: F401
from scene import SCENES  # noqa: F401
