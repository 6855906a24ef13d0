/** What ends with the session of whoever sat here, such as an agent's phone: it must not go on for somebody else. */
const ends = new Set<() => void>()

/** `end` is called each time that the person signs out here or elsewhere, or another one has signed in. */
export function whenSessionEnds(end: () => void): void {
  ends.add(end)
}

/** The session gate says so. */
export function sessionEnded(): void {
  for (const end of ends) end()
}
