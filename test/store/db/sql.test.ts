import { expect, test } from 'vitest'
import { joined, quotedName, sql, written } from '../../../src/store/db/sql.ts'

test('values are numbered in the order of the text, whichever part they belong to', () => {
  const conditions = [sql`a = ${1}`, sql`b = any(${['x', 'y']})`, sql`c`]
  const statement = sql`select ${'$1'} from t where ${joined(conditions, ' and ')} limit ${5}`
  expect(written(statement)).toEqual([
    'select $1 from t where a = $2 and b = any($3) and c limit $4',
    ['$1', 1, ['x', 'y'], 5],
  ])
})

test('a foreign name cannot leave its quotes', () => {
  expect(written(sql`select 1 as ${quotedName('a", secret as "b')}`)).toEqual(['select 1 as "a"", secret as ""b"', []])
})
