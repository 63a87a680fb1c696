"""Messages of shaders, on standard error and as JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from vkrunner import Messages
from vkrunner.cli.output import plain, write_message


def print_messages(messages: Messages) -> None:
    """Print each message with its thread, and the number of messages without room."""
    for message in messages:
        thread = ",".join(map(str, message.thread))
        kind = "error: " if message.is_error else ""
        write_message(f"thread {thread}: {kind}{message.text.removesuffix(chr(10))}")
    if messages.lost:
        kept, lost = len(messages), messages.lost
        write_message(
            f"sm5vk: warning: {kept} messages were kept and {lost} not: see --message-capacity"
        )


def messages_data(messages: Messages) -> dict[str, Any]:
    """Plain data: the number of all messages, and the kept messages."""
    records = [dataclasses.asdict(message) for message in messages]
    for record in records:
        record["values"] = plain(record["values"])
    return {"total": messages.total, "records": records}
