"""Handlers of the billing service."""

import logging

log = logging.getLogger(__name__)


def charge(account, cents):
    """Charge an account; refuse what is not positive."""
    if cents <= 0:
        raise ValueError("cents must be positive")
    with account.lock():
        account.balance -= cents
        log.info("charged %s: %d", account.id, cents)
    return account.balance


def refund(account, cents):
    """Refund an account; the amount is not checked here."""
    with account.lock():
        account.balance += cents
        log.info("refunded %s: %d", account.id, cents)
    return account.balance


def close(account):
    if account.balance != 0:
        raise ValueError("the balance is not zero")
    account.closed = True
    return account.balance
