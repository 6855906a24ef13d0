import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'vitest'
import { ImportWorker } from '../../../src/rest/call-task-import-worker.ts'
import { debtors, importOf, openDialerWorld, OTHER_CAMPAIGN } from './dialer-world.ts'

test('perf', async () => {
  const world = await openDialerWorld()
  const say = (...a: unknown[]) => process.stderr.write(a.join(' ') + '\n')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const post = async (path: string, body: string) => {
    const begun = performance.now()
    const r = await fetch(world.rest.url + path, { method: 'POST', headers: { ...world.values, 'content-type': 'application/json' } as never, body })
    const reader = r.body!.getReader()
    let first = 0, bytes = 0
    for (;;) { const { done, value } = await reader.read(); if (done) break; first ||= performance.now() - begun; bytes += value.length }
    return { status: r.status, first: first.toFixed(1), total: (performance.now() - begun).toFixed(1), bytes }
  }
  for (let round = 0; round < 3; round++) {
    const body = JSON.stringify(importOf(debtors(round * 10_000, round * 10_000 + 10_000)))
    delay.reset(); delay.enable()
    const r = await post('/svcdialer/calltaskimport', body)
    delay.disable()
    say('import 10k', JSON.stringify(r), 'maxdelay', (delay.max / 1e6).toFixed(1), 'body', body.length)
  }
  {
    const body = JSON.stringify({ ...importOf(debtors(100_000, 200_000)), callCode: OTHER_CAMPAIGN })
    const worker = new ImportWorker(world.parts)
    worker.start()
    delay.reset(); delay.enable()
    const begun = performance.now()
    const r = await post('/svcdialer/calltaskimport?importAsync=true', body)
    say('async 100k accepted', JSON.stringify(r), 'maxdelay', (delay.max / 1e6).toFixed(1), 'body', body.length)
    delay.reset()
    const { body: list } = await world.call('GET', '/svcdialer/calltaskimport?limit=1')
    for (;;) {
      const { body: job } = await world.call('GET', `/svcdialer/calltaskimport/${list.imports[0].importId}`)
      if (job.importStatus === 'completed') { say('done', job.importedCount, job.failedCount); break }
      await new Promise((r) => world.parts.clock.schedule(world.parts.clock.nowMs() + 200, () => r(0)))
    }
    say('async 100k done', (performance.now() - begun).toFixed(0), 'maxdelay', (delay.max / 1e6).toFixed(1))
    delay.disable()
    await worker.stop()
  }
  await world.pools.jobs.query('set statement_timeout = 0')
  for (let part = 0; part < 10; part++)
    await world.pools.jobs.query(`insert into call_tasks (corporation_id, campaign_id, external_system_id, receiver_name, external_case_number, external_customer, duplicate_key, attempts_max, interval_ms, next_call_at_ms, created_at_ms, updated_at_ms)
      select 1, 7, 3, 'Debtor ' || n, 'big ' || n, 'b' || n, 'many ' || n, 3, 0, n, n, n from generate_series(${part} * 100000 + 1, ${part} * 100000 + 100000) n`)
  await world.pools.jobs.query('analyze call_tasks')
  for (let round = 0; round < 3; round++) for (const b of [{ limit: 50000 }, { limit: 50000, detail: true }, { limit: 50000, callCodes: [7], finishedList: [false] }, { limit: 50000, pageNumber: 15 }, { limit: 50, sort: '-nextCallTs' }, { limit: 50, statusList: [1] }]) {
    delay.reset(); delay.enable()
    const r = await post('/dialer/calltaskget', JSON.stringify(b))
    delay.disable()
    say(JSON.stringify(b), JSON.stringify(r), 'maxdelay', (delay.max / 1e6).toFixed(1))
  }
  const times: number[] = []
  for (let i = 0; i < 300; i++) { const t = performance.now(); await post('/dialer/calltaskget', JSON.stringify({ systemLookupCodes: ['big ' + (i * 3001 + 1)], finishedList: [false] })); times.push(performance.now() - t) }
  times.sort((a, b) => a - b)
  say('by case p50', times[150]!.toFixed(1), 'p95', times[285]!.toFixed(1))
  await world.close()
}, 300_000)
