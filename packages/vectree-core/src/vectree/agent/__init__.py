"""The query side of §3.3: seven tools in three layers, the loop that uses them, and checked citations."""
