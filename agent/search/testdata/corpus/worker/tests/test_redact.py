from ferry_worker.redact import redact


def test_passwords_are_masked():
    assert redact({"user": "a", "password": "b"}) == {"user": "a", "password": "***"}


def test_card_numbers_are_masked_inside_text():
    assert redact("paid with 4111 1111 1111 1111") == "paid with [card]"
