/** What `/readyz` and the log say where a node dials nobody although database and Asterisk answer. */
import { Client, type ClientConfig } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess } from './service-process.ts'

let place: Awaited<ReturnType<typeof openServicePlace>>
let service: ReturnType<typeof startServiceProcess> | undefined

beforeEach(async () => {
  place = await openServicePlace('agents: { anna: { phone: { host: 127.0.0.101 } } }\n')
})
afterEach(async () => {
  await service?.stop()
  await place.close()
})

async function started(more: Readonly<Record<string, string>>) {
  const env = await place.env(more)
  service = startServiceProcess(env)
  await service.ready
  return async () => {
    const answer = await fetch(`http://127.0.0.1:${env['HTTP_PORT']}/readyz`)
    return [answer.status, await answer.text()] as const
  }
}

/** As after a failover to a standby, or where a provider has stopped all writing because the disk is full. */
async function takesWrites(connection: ClientConfig, isOn: boolean) {
  const client = new Client(connection)
  await client.connect()
  await client.query('begin read write')
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.query(`alter database ${rows[0]!.name} set default_transaction_read_only = ${isOn ? 'off' : 'on'}`)
  await client.query('commit')
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await client.end()
}

test('a database that answers and takes nothing makes the node unready, until it takes it again', async () => {
  const { connection, url } = await place.database()
  const readiness = await started({ DATABASE_URL: url })
  expect(await readiness()).toEqual([200, expect.stringContaining('"ready"')])
  await takesWrites(connection as ClientConfig, false)
  await expect.poll(readiness, { interval: 200 }).toEqual([503, expect.stringContaining('takes no lease of this node')])
  const told = () => service!.said('the database takes no lease; without one nothing is dialed')
  await expect.poll(told).toEqual([expect.stringContaining('read-only transaction')])
  await takesWrites(connection as ClientConfig, true)
  await expect.poll(readiness, { interval: 200 }).toEqual([200, expect.stringContaining('"ready"')])
})

test('a clock that is not that of the database makes the node unready: nothing is dialed', async () => {
  const ahead = '--import=data:text/javascript,Date.now=(now=>()=>now()+5500)(Date.now)'
  const readiness = await started({ NODE_OPTIONS: ahead })
  const why = 'nothing is dialed: the clocks of this node and of the database are 5 s apart; set them right'
  await expect.poll(readiness, { interval: 200 }).toEqual([503, expect.stringContaining(why)])
})
