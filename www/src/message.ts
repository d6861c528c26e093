/** What was thrown, in words. */
export function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
