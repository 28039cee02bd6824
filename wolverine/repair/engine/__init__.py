"""The default engine, `search`: makes the searches that `stages` lists; the first that finds is the answer.

Where three plain edits or more are needed, or the execution crashes under the best of the repairs as soon as
it goes on behind the trace (a special case is missing: an empty list, say), statements under a test are
looked for besides; so they are where what is inserted crashes on fresh heaps on which nothing crashed before.
Where a search of several edits takes long, `fallback` is asked.  When nothing fits, a small conflicting set
of assertions and forced branches is searched for by leaving them out one by one.
"""

from wolverine.repair.engine.answer import search

__all__ = ["search"]
