/** The yardstick of the board: the same stream, drawn as bare rows of React with nothing around them. */
import { createElement, memo, useEffect, useRef, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { StreamClient } from '../../src/console/stream/stream-client.ts'
import { RealClock } from '../../src/kernel/clock.ts'

const client = new StreamClient({
  getTicket: async () => 'ticket',
  openSocket(protocols) {
    const socket = new WebSocket(`ws://${location.host}/rest/core/stream`, [...protocols])
    const own = {
      send: (text) => socket.send(text),
      close: () => socket.close(),
      onmessage: null,
      onclose: null,
    }
    socket.onmessage = ({ data }) => own.onmessage?.({ data })
    socket.onclose = () => own.onclose?.()
    return own
  },
  clock: new RealClock(),
  random: () => 0.5,
  schedule: (flush) => void requestAnimationFrame(flush),
  onEvent: () => {},
})
client.start()
const { rows } = client.join({ topic: 'board' })

function Rows() {
  const keys = useSyncExternalStore(
    (changed) => rows.subscribeKeys('agent', changed),
    () => rows.keys('agent'),
  )
  return keys.map((key) => createElement(Row, { key, name: key }))
}

const Row = memo(function Row({ name }) {
  const row = useSyncExternalStore(
    (changed) => rows.subscribeRow('agent', name, changed),
    () => rows.row('agent', name),
  )
  const time = useRef(null)
  const sinceMs = Date.parse(String(row?.sinceTs))
  useEffect(() => {
    const write = () => {
      if (time.current) time.current.textContent = String(Math.floor((client.serverNowMs() - sinceMs) / 1_000))
    }
    write()
    const timer = setInterval(write, 1_000)
    return () => clearInterval(timer)
  }, [sinceMs])
  return createElement(
    'div',
    null,
    createElement('span', null, name, ' '),
    createElement('span', null, String(row?.state), ' '),
    createElement('span', { ref: time }),
  )
})

createRoot(document.getElementById('root')).render(createElement(Rows))
