"""The seven tools over the Model Context Protocol, for chatbots and coding assistants that speak it.

The tools, their words and their schemas are those of `agent.tools`; this package puts them on the wire. It
needs the extra ``mcp`` and is loaded by ``vectree mcp`` alone.
"""
