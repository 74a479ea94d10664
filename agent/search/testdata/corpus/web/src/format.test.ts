import { expect, test } from "vitest";
import { formatAge } from "./format";

test("formats minutes in the past", () => {
  expect(formatAge("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:03:10Z"))).toBe("3 minutes ago");
});
