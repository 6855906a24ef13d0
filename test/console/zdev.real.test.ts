import { expect, test } from 'vitest'
import { openBoardPlace } from './board-place.ts'
import { picture, watched } from './page-checks.ts'

test('dev', async () => {
  const board = await openBoardPlace()
  const page = await board.atBoard('/board')
  const faults = watched(page)
  page.on('websocket', (ws) => {
    console.log('ws', ws.url())
    ws.on('framereceived', (f) => console.log(String(f.payload).slice(0, 300)))
    ws.on('close', () => console.log('closed'))
    ws.on('socketerror', (e) => console.log('err', e))
  })
  page.on('response', (r) => {
    if (r.status() >= 400) console.log(r.status(), r.url())
  })
  page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText))
  await page.reload()
  await new Promise((r) => setTimeout(r, 8000))
  await picture(page, 'dev', 1440)
  console.log(faults, board.place.browser.asked, await page.locator('body').innerText())
  expect(1).toBe(1)
  await board.close()
}, 200000)
