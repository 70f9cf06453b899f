"""Slack: customers ask there, and agents answer there."""
