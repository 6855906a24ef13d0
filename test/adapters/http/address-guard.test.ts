import { describe, expect, onTestFinished, test } from 'vitest'
import { addressGuard, parseAllowedHost, type Resolve } from '../../../src/adapters/http/address-guard.ts'
import { HttpCircuitBreaker } from '../../../src/adapters/http/circuit-breaker.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { classifyAddress } from '../../../src/adapters/http/reserved-addresses.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { WebAnswer } from '../../../src/ports/web.ts'
import { NASTY_URLS, SPECIAL_IPV4, spellings } from './nasty-urls.ts'

/** Hostile names: each resolves to an address of the attacker's choice. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'mixed.example': ['93.184.215.14', '10.0.0.7'],
  'mixed6.example': ['2606:2800:21f::1', 'fe80::1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::a00:1'],
  'zoned.example': ['fe80::1%eth0'],
  'garbage.example': ['not-an-address'],
}
/** Every other name resolves to this machine. */
const resolve: Resolve = async (host) => NAMES[host] ?? ['127.0.0.1']

function fateOf(url: string): Promise<WebAnswer> {
  const clock = new RealClock()
  const guard = addressGuard({ allowedHosts: [], resolve })
  const web = webOverUndici({ clock, guard, breaker: new HttpCircuitBreaker(clock), log: silentLog })
  onTestFinished(() => web.close())
  return new Promise((done) => web.request({ method: 'GET', url, headers: {}, timeoutMs: 5_000 }, done))
}

describe('given an address that is not public', () => {
  test.each(NASTY_URLS)('%j is refused', async (url) => {
    expect(await fateOf(url)).toMatchObject({ outcome: 'forbidden' })
  })

  test('all spellings of all special IPv4 addresses are refused, without asking a name server', () => {
    const guard = addressGuard({ allowedHosts: [] })
    const forms = SPECIAL_IPV4.flatMap(spellings)
    expect(forms.length).toBeGreaterThan(500)
    expect(forms.filter((host) => guard.judge(`http://${host}/`).ok)).toEqual([])
  })

  test.each(['mixed', 'mixed6', 'metadata', 'mapped', 'nat64', 'zoned', 'garbage'])(
    '%s.example is refused',
    async (name) => {
      expect(await fateOf(`https://${name}.example/case`)).toMatchObject({ outcome: 'forbidden' })
    },
  )
})

describe('given a public address', () => {
  const guard = addressGuard({ allowedHosts: [], resolve })

  test.each([
    'http://public.example/',
    'https://public.example:8443/a?b=c#d',
    'HTTP://PUBLIC.EXAMPLE:8080/',
    'https://public.example./',
    'http://93.184.215.14/',
    'http://1.1.1.1/',
    'http://0x5db8d70e/',
    'http://100.63.255.255/',
    'http://100.128.0.1/',
    'http://172.15.255.255/',
    'http://172.32.0.1/',
    'http://169.253.0.1/',
    'http://198.17.255.255/',
    'http://223.255.255.255/',
    'https://[2606:4700:4700::1111]/',
    'https://[2a00:1450:4001:80b::200e]:443/',
    'https://xn--bcher-kva.example/',
  ])('%s is allowed', (url) => {
    expect(guard.judge(url)).toMatchObject({ ok: true })
  })

  test('its name yields exactly the addresses that were checked', async () => {
    expect(await guard.addresses('public.example', 443)).toEqual({ ok: true, addresses: NAMES['public.example'] })
    expect(await guard.addresses('[2606:4700::1]', 443)).toEqual({ ok: true, addresses: ['2606:4700::1'] })
  })
})

describe('given allowed hosts', () => {
  const allowedHosts = ['crm.internal', 'localhost:3000', '127.0.0.1:4010', '::1', '[fd00::7]:9000', '169.254.169.254']
  const guard = addressGuard({ allowedHosts, resolve: async () => ['10.1.2.3'] })

  test.each([
    'http://crm.internal/',
    'https://CRM.internal.:8443/',
    'http://localhost:3000/',
    'http://127.0.0.1:4010/',
    'http://0x7f.1:4010/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]:8080/',
    'http://[FD00::7]:9000/',
  ])('%s is allowed', (url) => {
    expect(guard.judge(url)).toMatchObject({ ok: true })
  })

  test.each([
    'http://crm.internal:5432/',
    'http://127.0.0.1/',
    'http://127.0.0.1:4011/',
    'http://127.0.0.2:4010/',
    'http://localhost:3001/',
    'http://user@localhost:3000/',
    'http://[fd00::7]/',
    'http://[::ffff:127.0.0.1]:4010/',
    'http://169.254.169.254/',
  ])('%s is refused', (url) => {
    expect(guard.judge(url)).toMatchObject({ ok: false })
  })

  test('the private address of an allowed name is accepted, that of another name is refused', async () => {
    expect(await guard.addresses('crm.internal', 443)).toMatchObject({ ok: true })
    expect(await guard.addresses('crm.internal', 5432)).toMatchObject({ ok: false })
    const why = 'other.internal must not be asked: its address 10.1.2.3 is private (RFC 1918)'
    const remedy = 'allowedHosts in the configuration can allow it'
    expect(await guard.addresses('other.internal', 443)).toEqual({ ok: false, why: `${why}; ${remedy}` })
  })

  test.each(['', 'http://x', 'a b', 'user@host', 'host/path', 'host:', 'host:99999', '[::1'])(
    '%j is not a valid entry',
    (entry) => {
      expect(parseAllowedHost(entry)).toBeUndefined()
    },
  )
})

test('given many concurrent requests for one name, the name server is asked once', async () => {
  let lookups = 0
  const guard = addressGuard({
    allowedHosts: [],
    resolve: async () => {
      lookups++
      return ['1.1.1.1']
    },
  })
  await Promise.all(Array.from({ length: 20 }, () => guard.addresses('public.example', 443)))
  expect(lookups).toBe(1)
  await guard.addresses('public.example', 443)
  expect(lookups).toBe(2)
})

test.each([
  ['8.8.8.8', 'public'],
  ['10.255.255.255', 'inside'],
  ['11.0.0.0', 'public'],
  ['100.64.0.1', 'inside'],
  ['100.100.100.200', 'forbidden'],
  ['168.63.129.16', 'forbidden'],
  ['192.0.0.192', 'forbidden'],
  ['255.255.255.255', 'forbidden'],
  ['::', 'forbidden'],
  ['::1', 'inside'],
  ['::2', 'forbidden'],
  ['::ffff:8.8.8.8', 'forbidden'],
  ['::FFFF:7F00:1', 'forbidden'],
  ['::127.0.0.1', 'forbidden'],
  ['64:ff9b::7f00:1', 'forbidden'],
  ['64:ff9b:1::1', 'forbidden'],
  ['100::1', 'forbidden'],
  ['2001::1', 'forbidden'],
  ['2001:20::1', 'forbidden'],
  ['2001:200::1', 'public'],
  ['2001:db8::1', 'forbidden'],
  ['2002:7f00:1::', 'forbidden'],
  ['3fff::1', 'forbidden'],
  ['4000::1', 'forbidden'],
  ['5f00::1', 'forbidden'],
  ['fc00::1', 'inside'],
  ['fd00:ec2::254', 'forbidden'],
  ['fe80::1', 'forbidden'],
  ['fec0::1', 'forbidden'],
  ['ff02::1', 'forbidden'],
  ['2606:4700::1111', 'public'],
  ['fe80::1%1', 'forbidden'],
  ['1.2.3', 'forbidden'],
  ['', 'forbidden'],
])('%j is %s', (address, kind) => {
  expect(classifyAddress(address).kind).toBe(kind)
})
