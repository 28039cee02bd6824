"""The live page: a session in the browser, over one WebSocket or from one saved file."""
