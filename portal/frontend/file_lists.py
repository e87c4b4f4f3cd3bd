"""Lists of uploaded files, which are loaded again after each file that arrived."""

import reflex as rx


class FileLists(rx.State, mixin=True):
    """A state that loads lists of files in the background. Of two lists, the one asked for first may come last."""

    _files_as_of: float = 0.0

    def _is_newest_list(self, asked_at: float) -> bool:
        """Whether to show a list: not if one that was asked for later is shown, in which more files may be."""
        if asked_at < self._files_as_of:
            return False
        self._files_as_of = asked_at
        return True
