"""The file of `--checkpoint`: nothing that is worth something is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import small_instance
from tailgate.apps.cli.solve_files import refuse_to_overwrite
from tailgate.io.text_file import write_text
from tailgate.model.errors import InputError
from tailgate.solver.column import Column
from tailgate.solver.search import checkpoint_codec
from tailgate.solver.search.node import Node
from tailgate.solver.search.state import SearchState


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a checkpoint would be."""
    return tmp_path / "search.checkpoint"


@pytest.mark.parametrize("content", ["route\n1-2\n", '{"format": "tailgate-instance-1"}'])
def test_a_file_that_is_no_checkpoint_is_not_overwritten(path: Path, content: str) -> None:
    """The instance itself, in the worst case."""
    write_text(path, content)
    with pytest.raises(InputError, match="exists, and is not a checkpoint"):
        refuse_to_overwrite(path)


def test_a_search_is_not_overwritten_by_another(path: Path, tmp_path: Path) -> None:
    """Hours of work would be lost by leaving out one option."""
    refuse_to_overwrite(path)
    path.touch()
    refuse_to_overwrite(path)
    for columns in ((), (Column(0, (1, 2, 3)),) * 200_000):
        state = SearchState((Node(),), 0.0, loadable_columns=columns)
        checkpoint_codec.write(path, small_instance(), state)
        with pytest.raises(InputError, match="holds a search already; go on with it by --resume"):
            refuse_to_overwrite(path)
        refuse_to_overwrite(path, resume=path)
    with pytest.raises(InputError, match="holds a search already"):
        refuse_to_overwrite(path, resume=tmp_path / "other")
    with pytest.raises(InputError, match="is a folder"):
        refuse_to_overwrite(tmp_path)
    with pytest.raises(InputError, match="make it first"):
        refuse_to_overwrite(tmp_path / "no" / "where")
