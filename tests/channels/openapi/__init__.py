"""The OpenAPI document, and what the server does under requests that are made up from it."""
