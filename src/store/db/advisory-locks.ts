/** Numbers of PostgreSQL's advisory locks. The common prefix avoids the numbers of other programs. */
export const LOCKS = {
  /** One process at a time changes the tables. */
  migrations: 7_219_350_114,
  /** Excludes stops and the kill switch from claims: none commits between a claim's reads and its commit. */
  orders: 7_219_350_115,
  /** Held by the one engine that dials; with a name hashed into it, by the one process of a NODE_NAME. */
  node: 7_219_350_116,
  /** The first reader of the feed checks whether the database was restored from another cluster. */
  feed: 7_219_350_117,
  /** A campaign's code is chosen or given. */
  campaigns: 7_219_350_118,
  /** Subscriptions are divided among webhook dispatchers. */
  dispatchers: 7_219_350_119,
  /** The agents of the configuration become users. */
  staff: 7_219_350_120,
  /** A revision of a flow becomes the live one. */
  flows: 7_219_350_121,
  /** Ended calls are added to the sums of flows. */
  traffic: 7_219_350_122,
  /** Texts that leave are counted one after another. */
  texts: 7_219_350_123,
  /** Shared, with a name hashed into it: says whose connection it is that has or wants the lock of a node. */
  ofNode: 7_219_350_124,
} as const
