"""Trees of PageIndex, in and out: its users keep what they have paid for, ours are not locked in."""
