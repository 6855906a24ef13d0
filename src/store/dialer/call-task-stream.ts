import { assert } from '../../kernel/assert.ts'
import type { CallTaskField, CallTaskShape } from '../../ports/call-task.ts'
import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import { type Columns, listOf, type NamedColumn, namedColumns } from '../db/json-rows.ts'
import type { In } from '../db/port-methods.ts'
import { streamRows } from '../db/row-stream.ts'
import { sql } from '../db/sql.ts'
import { attemptColumns, callTaskColumns, TASK_NUMBER_COLUMNS, TASK_PROPERTY_COLUMNS } from './call-task-columns.ts'
import { countCallTasks, selectPage } from './call-task-search.ts'

/** A page of call tasks, short or long, in the asker's names: summaries, or the whole with its lists (D-10). */
export const callTaskStream = {
  async streamCallTasks(pools, search, shape) {
    assert(Object.keys(shape).length > 0, 'a stream has at least one field')
    const columns = columnsOf(shape, callTaskColumns(search.atMs))
    const rows = await streamRows(pools, selectPage(search, columns), columns, search.rowsMax)
    return { rows, count: () => countCallTasks(pools, search) }
  },
} satisfies Partial<In<DialerAdminRepository>>

function columnsOf(shape: CallTaskShape, columns: Columns<CallTaskField>): NamedColumn[] {
  return Object.entries(shape).flatMap(([name, entry]) =>
    'list' in entry ? [{ name, value: listWithin(entry) }] : namedColumns({ [name]: entry }, columns),
  )
}

function listWithin(entry: Extract<CallTaskShape[string], { list: string }>): NamedColumn['value'] {
  switch (entry.list) {
    case 'numbers': {
      const from = sql`from call_task_numbers n where n.task_id = t.id order by n.position`
      return listOf(namedColumns(entry.of, TASK_NUMBER_COLUMNS), from)
    }
    case 'properties': {
      const from = sql`from call_task_properties p where p.task_id = t.id order by p.position`
      return listOf(namedColumns(entry.of, TASK_PROPERTY_COLUMNS), from)
    }
    case 'attempts': {
      const from = sql`from attempts a where a.task_id = t.id order by a.id`
      return listOf(attemptColumns(entry.of), from)
    }
  }
}
