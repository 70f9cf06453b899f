"""The evaluation as one page of HTML that needs nothing else: no scripts, no requests, charts with their numbers beside them."""
