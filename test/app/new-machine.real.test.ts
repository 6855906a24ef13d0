/** An archive of `switchboard backup` on a new machine: all is there, and nothing is dialed before a person says so. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard } from './service-process.ts'

let place: Awaited<ReturnType<typeof openServicePlace>>
let service: ReturnType<typeof startServiceProcess> | undefined

beforeAll(async () => {
  place = await openServicePlace('agents: { anna: { phone: { host: 127.0.0.101 } } }\n')
})
afterAll(async () => {
  await service?.stop()
  await place.close()
})

async function credentialOf(env: Record<string, string>) {
  const made = await switchboard(['token', 'create', '--name', 'integrator'], env)
  const values = [...made.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)].map((found) => found.slice(1))
  return Object.fromEntries(values) as { tokenv2: string; rcntrl: string; ccntrl: string }
}

test('a backup of a running service is restored on a machine that has nothing', async () => {
  const old = await place.env({})
  service = startServiceProcess(old)
  await service.ready
  const credential = await credentialOf(old)
  const address = (env: Record<string, string>) => `http://127.0.0.1:${env['HTTP_PORT']}`
  const client = connect({ ssoUrl: `http://127.0.0.1:${old['SSO_PORT']}`, credential })
  const { eactId } = (await client.ask('POST /rest/svcems/case', {
    body: { description: 'Kept', status: 1, corporation: { corpId: 1 } },
  })) as { eactId: number }
  const form = new FormData()
  form.set('files', new Blob(['to be kept']), 'kept.txt')
  const uploaded = await fetch(`${address(old)}/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, {
    method: 'POST',
    headers: { ...credential },
    body: form,
  })
  expect([uploaded.status, uploaded.ok ? '' : await uploaded.text()]).toEqual([200, ''])
  const [{ cfreId }] = (await uploaded.json()) as [{ cfreId: number }]
  const archive = join(place.directory, 'backup.tar.gz')
  // Of one that was killed.
  const leftOver = join(old['DATA_DIR']!, `backup-${spawnSync('true').pid}`)
  mkdirSync(join(leftOver, 'database'), { recursive: true })
  expect(await switchboard(['backup', archive], old)).toContain(archive)
  expect(existsSync(leftOver)).toBe(false)
  // It has the whole database: no other user of the machine may read it.
  expect(statSync(archive).mode & 0o077).toBe(0)
  await service.stop()
  rmSync(old['DATA_DIR']!, { recursive: true, force: true })
  rmSync(old['SETUP_FILE']!)

  const fresh = await place.env({ DATA_DIR: join(place.directory, 'fresh') })
  writeFileSync(join(place.directory, 'no.tar.gz'), 'no archive')
  await expect(switchboard(['restore', join(place.directory, 'no.tar.gz')], fresh)).rejects.toThrow(
    'nothing was restored',
  )
  expect(await switchboard(['restore', archive], fresh)).toContain('the kill switch is on')
  expect(existsSync(fresh['SETUP_FILE']!)).toBe(true)
  await expect(switchboard(['restore', archive], fresh)).rejects.toThrow('is not empty')
  // Those of before may have been taken by others meanwhile.
  const { HTTP_PORT, SSO_PORT } = await place.env({})
  Object.assign(fresh, { HTTP_PORT, SSO_PORT })
  service = startServiceProcess(fresh)
  await service.ready
  const kept = await fetch(`${address(fresh)}/rest/core/corefile?cfreId=${cfreId}`, { headers: { ...credential } })
  expect(await kept.text()).toBe('to be kept')
  const readiness = async () => (await fetch(`${address(fresh)}/readyz`)).text()
  expect(await readiness()).toContain('switchboard restore confirm')
  await expect(switchboard(['restore', 'confirm'], fresh)).rejects.toThrow('no journal goes on after the backup')
  expect(await switchboard(['restore', 'confirm', '--accept-gap'], fresh)).toContain('the database may dial')
  expect(await readiness()).not.toContain('restore confirm')
  const again = connect({ ssoUrl: `http://127.0.0.1:${fresh['SSO_PORT']}`, credential })
  expect(await again.ask('GET /dialer/killswitch')).toMatchObject({ on: true })
  expect(await switchboard(['killswitch', '--off'], fresh)).toContain('is off')
  expect(await again.ask('GET /dialer/killswitch')).toMatchObject({ on: false, by: 'command line' })
  const trail = await again.ask('GET /rest/core/audit', { query: { object: 'killSwitch', rcntrl: 'command line' } })
  expect(trail).toMatchObject([{ operation: 'killswitch --off', action: 'change' }])
})

test('a service whose disk must keep more free than it has takes no file, and says so', async () => {
  await service?.stop()
  const env = await place.env({ DATA_DIR: join(place.directory, 'full'), DISK_FREE_MIN_MB: '1000000000' })
  service = startServiceProcess(env)
  await service.ready
  const credential = await credentialOf(env)
  const client = connect({ ssoUrl: `http://127.0.0.1:${env['SSO_PORT']}`, credential })
  const body = { description: 'Full', status: 1, corporation: { corpId: 1 } }
  const { eactId } = (await client.ask('POST /rest/svcems/case', { body })) as { eactId: number }
  const form = new FormData()
  form.set('files', new Blob(['too much']), 'much.txt')
  const address = `http://127.0.0.1:${env['HTTP_PORT']}/rest/core/corefile?tblId=35007&type=3&id=${eactId}`
  const { status } = await fetch(address, { method: 'POST', headers: { ...credential }, body: form })
  expect(status).toBe(507)
  // The words come by a pipe, after the answer.
  await expect.poll(() => service!.said('DISK_FREE_MIN_MB'), { timeout: 60_000 }).toHaveLength(1)
})
