"""Tests of the console: who gets in, what agents see, and what they may do."""
