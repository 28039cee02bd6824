"""Which statements are suspicious: siblings named after their method, one interface.

`localize(problem)` of each module gives `Suspicion`s, the most suspicious first; `explain(problem)` says
in words how they came about.
"""
