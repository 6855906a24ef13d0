import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'

/** Kysely writes statements here; they are carried out by our pools, like all others. */
export const statementWriter = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The text of a statement and the values that travel beside it. */
export function written(statement: RawBuilder<unknown>): [string, readonly unknown[]] {
  const { sql: text, parameters }: CompiledQuery = statement.compile(statementWriter)
  return [text, parameters]
}
