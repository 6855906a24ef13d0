/** A small file for what could not be written where it belongs. What was appended survives a crash of ours. */
export interface Spool {
  /** Never throws: a full disk is logged, the entry is then in memory only. */
  append(entry: object): void
  /** Everything that was appended since the last `clear`, oldest first; a line that a crash cut off is left out. */
  read(): readonly object[]
  /** Leaves `but`, which a crash at any moment keeps. */
  clear(but?: readonly object[]): void
  /** Keeps an entry that can never be written, for people to look at. `clear` leaves it. */
  setAside(entry: object): void
}
