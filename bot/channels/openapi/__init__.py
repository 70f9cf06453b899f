"""The channel of the OpenAPI document: every HTTP route, for people who integrate with Candor and for tools that test it."""
