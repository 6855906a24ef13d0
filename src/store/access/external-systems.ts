import type { Directory, ExternalSystem, ExternalSystemFields } from '../../ports/directory.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'

/** PostgreSQL's code for a unique violation. */
const NOT_UNIQUE = '23505'

const SYSTEM = `id, corporation_id as corporation, code, name, active, lookup,
  popup_url_template as "popupUrlTemplate", allowed_hosts as "allowedHosts"`

/** Field → its column. Names of columns come only from this table, never from a request. */
const COLUMNS: Readonly<Record<keyof ExternalSystemFields, string>> = {
  code: 'code',
  name: 'name',
  popupUrlTemplate: 'popup_url_template',
  lookup: 'lookup',
  allowedHosts: 'allowed_hosts',
  active: 'active',
}

export const externalSystems = {
  /** By code. */
  async externalSystems({ api }, corporations, withInactive) {
    return query(
      api,
      `select ${SYSTEM} from external_systems where corporation_id = any($1) and (active or $2) order by code, id`,
      [[...corporations], withInactive],
    )
  },

  /** Codes are unique in their corporation. A taken code of another one answers as if it were free (rest-22). */
  async addExternalSystem({ api }, corporation, fields) {
    return inTransaction(api, async (transaction) => {
      const known = await transaction.query('select 1 from corporations where id = $1', [corporation])
      if (known.rows.length === 0) return 'no such corporation' as const
      const { rows } = await transaction.query<ExternalSystem>(
        `insert into external_systems (corporation_id, code, name, popup_url_template, lookup, allowed_hosts, active)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (corporation_id, code) do nothing returning ${SYSTEM}`,
        [corporation, ...valuesOf(fields, ['code', 'name', 'popupUrlTemplate', 'lookup', 'allowedHosts', 'active'])],
      )
      await notify(transaction, 'orders')
      return rows[0] ?? ('code is taken' as const)
    })
  },

  async changeExternalSystem({ api }, id, corporations, change) {
    const names = (Object.keys(COLUMNS) as (keyof ExternalSystemFields)[]).filter((name) => change[name] !== undefined)
    const settings = names.map((name, index) => `${COLUMNS[name]} = $${index + 3}`)
    // Without a change the row is still returned, if it exists.
    const set = ['id = id', ...settings].join(', ')
    try {
      return await inTransaction(api, async (transaction) => {
        const { rows } = await transaction.query<ExternalSystem>(
          `update external_systems set ${set} where id = $1 and corporation_id = any($2) returning ${SYSTEM}`,
          [id, [...corporations], ...valuesOf(change, names)],
        )
        await notify(transaction, 'orders')
        return rows[0] ?? ('no such system' as const)
      })
    } catch (error) {
      if ((error as { code?: unknown }).code === NOT_UNIQUE) return 'code is taken'
      throw error
    }
  },
} satisfies Partial<In<Directory>>

function valuesOf(fields: Partial<ExternalSystemFields>, names: readonly (keyof ExternalSystemFields)[]): unknown[] {
  return names.map((name) => {
    const value = fields[name]
    return name === 'lookup' && value !== null ? JSON.stringify(value) : value
  })
}
