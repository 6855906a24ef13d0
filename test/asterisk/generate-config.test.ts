import { describe, expect, test } from 'vitest'
import { foreignConfig } from '../../asterisk/foreign.ts'
import { entityId } from '../../asterisk/general.ts'
import { type ConfigFiles, generateConfig } from '../../asterisk/generate-config.ts'
import { MODULES, neededModules } from '../../asterisk/modules.ts'
import { debianTree } from '../../asterisk/tree.ts'
import type { InstallationConfig } from '../../src/installation/config.ts'
import { configWith, FIXED, REGISTERING, secretOf } from './setups.ts'

const ari = { user: 'switchboard', password: 'random', port: 8088 }
const tree = debianTree('x86_64-linux-gnu')

function configOf(installation: InstallationConfig): ConfigFiles {
  return generateConfig({ installation, secret: secretOf, tree, runDirectory: '/srv/run', ari })
}

/** The lines of the section of that name; where several bear it, of the one with that `type`. */
function section(config: ConfigFiles, file: string, name: string, type?: string): string[] {
  const blocks = config.get(file)!.split(/^(?=\[)/m)
  const found = blocks
    .map((block) => block.trim().split('\n'))
    .find((lines) => lines[0] === `[${name}]` && (type === undefined || lines.includes(`type = ${type}`)))
  return found?.slice(1) ?? []
}

const FULL = configWith({
  trunks: [{}, { name: 'second', host: 'sip.carrier.example', username: 'us', passwordFrom: 'CARRIER_PASSWORD' }],
  phones: { anna: REGISTERING, ben: FIXED },
  music: 'calm',
})

describe('identification', () => {
  const config = configOf(FULL)

  test('no anonymous caller is accepted, and no endpoint is identified by its name alone', () => {
    expect(section(config, 'pjsip.conf', 'global')).toContain('endpoint_identifier_order = ip,header')
    expect(config.get('pjsip.conf')).not.toContain('anonymous')
    expect(MODULES).not.toContain('res_pjsip_endpoint_identifier_anonymous')
    expect(MODULES).not.toContain('res_pjsip_endpoint_identifier_user')
  })

  test('repeated unidentified requests are counted for the security log', () => {
    const global = section(config, 'pjsip.conf', 'global')
    expect(global.filter((line) => line.startsWith('unidentified_request_'))).toHaveLength(3)
    expect(section(config, 'logger.conf', 'logfiles')).toContain('security = security')
  })

  test('a trunk is identified by its address, and its calls have their own context', () => {
    expect(section(config, 'pjsip.conf', 'trunk-main', 'identify')).toContain('match = 127.0.0.11')
    expect(section(config, 'pjsip.conf', 'trunk-main', 'endpoint')).toContain('context = from-trunk-main')
    expect(section(config, 'pjsip.conf', 'trunk-second', 'endpoint')).toContain('context = from-trunk-second')
  })

  test('given credentials the trunk also authenticates, and without them it does not', () => {
    expect(section(config, 'pjsip.conf', 'trunk-second', 'endpoint')).toContain('auth = trunk-second')
    expect(section(config, 'pjsip.conf', 'trunk-second', 'auth')).toContain('password = c4rrier')
    expect(section(config, 'pjsip.conf', 'trunk-main', 'auth')).toEqual([])
    expect(section(config, 'pjsip.conf', 'trunk-main', 'endpoint').join()).not.toContain('auth =')
  })

  test('a registering phone is identified by its user name and qualified; a fixed phone is not', () => {
    expect(section(config, 'pjsip.conf', 'agent-anna', 'identify')).toContain('match_header = From: /<sips?:k7[.]x2@/')
    expect(section(config, 'pjsip.conf', 'k7.x2', 'aor')).toContain('qualify_frequency = 30')
    expect(section(config, 'pjsip.conf', 'agent-ben', 'identify')).toEqual([])
    expect(section(config, 'pjsip.conf', 'agent-ben', 'aor')).toEqual([
      'type = aor',
      'contact = sip:127.0.0.31:6031',
      'qualify_frequency = 0',
    ])
  })

  test('a browser with Opus offers nothing else, and every other peer G.711', () => {
    const phones = { cleo: { kind: 'browser', isOpus: true }, dora: { kind: 'browser' }, ben: FIXED } as const
    const files = configOf(configWith({ phones }))
    const allowed = (name: string) =>
      section(files, 'pjsip.conf', name, 'endpoint').find((line) => line.startsWith('allow = '))
    expect(allowed('agent-cleo')).toBe('allow = !all,opus')
    for (const name of ['agent-dora', 'agent-ben', 'trunk-main']) expect(allowed(name)).toBe('allow = !all,alaw,ulaw')
  })

  test('a vanished peer is detected on every endpoint', () => {
    for (const name of ['trunk-main', 'trunk-second', 'agent-anna', 'agent-ben']) {
      const endpoint = section(config, 'pjsip.conf', name, 'endpoint')
      expect(endpoint).toContain(`rtp_timeout = ${name.startsWith('trunk') ? 30 : 2}`)
      expect(endpoint).toContain('rtp_timeout_hold = 300')
      expect(endpoint).toContain('direct_media = no')
    }
    expect(section(config, 'pjsip.conf', 'system')).toContain('timer_b = 6400')
  })

  test('an address of IP version 6 stands in brackets where a port follows', () => {
    const six = configOf(configWith({ trunks: [{ host: '::1', port: 6011 }], asterisk: { sipHost: '::1' } }))
    expect(section(six, 'pjsip.conf', 'transport-udp')).toContain('bind = [::1]:5060')
    expect(section(six, 'pjsip.conf', 'trunk-main', 'aor')).toContain('contact = sip:[::1]:6011')
  })
})

describe('the dialplan', () => {
  const config = configOf(FULL)

  test('every Stasis is followed by the apology for calls that no engine took', () => {
    const lines = config.get('extensions.conf')!.split('\n')
    const entries = lines.flatMap((line, at) => (line.includes('Stasis(switchboard,arrived') ? [at] : []))
    expect(entries).toHaveLength(2)
    for (const at of entries) {
      expect(lines[at]).toBe('same = n(known),Stasis(switchboard,arrived,${EXTEN})')
      expect(lines[at + 1]).toBe('same = n,GotoIf($["${STASISSTATUS}" = "FAILED"]?no-engine,s,1)')
      expect(lines[at + 2]).toBe('same = n,Hangup()')
    }
    expect(section(config, 'extensions.conf', 'no-engine').at(-1)).toBe('same = n,Hangup(38)')
  })

  test('every leg writes its events to a file of the log folder, independently of ARI', () => {
    expect(section(config, 'cel.conf', 'general')).toEqual([
      'enable = yes',
      'events = CHAN_START,ANSWER,HANGUP,CHAN_END',
    ])
    expect(section(config, 'cel_custom.conf', '../call-events.json')).toEqual([
      'format = json',
      'fields = EventType,EventTime,UniqueID,EventExtra,Num,Exten,Context',
    ])
  })

  test('no section has a name that Asterisk cuts, as long as the run directory may be', () => {
    const runDirectory = `/srv/${'deep/'.repeat(14)}run`
    const files = generateConfig({ installation: FULL, secret: secretOf, tree, runDirectory, ari })
    const names = [...files.values()].flatMap((text) => [...text.matchAll(/^\[([^\]]+)\]/gm)].map(([, name]) => name!))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter(({ length }) => length > 79)).toEqual([])
  })

  test("an agent's phone can dial nothing, and no context dials out", () => {
    expect(section(config, 'extensions.conf', 'from-agents')).toEqual([
      'exten = _.,1,Hangup(21)',
      'exten = s,1,Hangup(21)',
    ])
    expect(config.get('extensions.conf')).not.toMatch(/Dial\(|Originate\(|System\(|AGI\(/)
  })

  test('each music class that a team names exists', () => {
    expect(section(config, 'musiconhold.conf', 'calm')).toContain('directory = /srv/run/music')
    expect(section(config, 'musiconhold.conf', 'default')).not.toEqual([])
  })
})

describe('the switch itself', () => {
  const config = configOf(FULL)

  test('ARI and HTTP listen on loopback only, and refuse web pages', () => {
    expect(section(config, 'http.conf', 'general')).toContain('bindaddr = 127.0.0.1')
    expect(section(config, 'http.conf', 'general')).toContain('bindport = 8088')
    expect(section(config, 'ari.conf', 'general')).toContain('allowed_origins = ')
    expect(section(config, 'ari.conf', 'general')).toContain('websocket_write_timeout = 5000')
  })

  test('only listed modules are loaded, and each of them is required', () => {
    const lines = section(config, 'modules.conf', 'modules')
    expect(lines[0]).toBe('autoload = no')
    expect(lines.slice(1)).toEqual(MODULES.map((name) => `require = ${name}.so`))
  })

  test('an Asterisk of somebody else needs Opus only where a browser talks it', () => {
    const loads = (isOpus: boolean) => {
      const installation = configWith({ phones: { cleo: { kind: 'browser', isOpus } } })
      expect(neededModules(installation).includes('codec_opus_open_source')).toBe(isOpus)
      const files = foreignConfig({ installation, secret: secretOf, tree, ari }, '/switchboard')
      return files.get('modules.conf')!.includes('codec_opus_open_source')
    }
    expect([true, false].map(loads)).toEqual([true, false])
  })

  test.each([
    'presence, message waiting, publishing: res_pjsip_(exten_state|mwi|publish|pidf|dialog_info)',
    'commands and scripts: app_system|func_shell|res_agi|app_externalivr|app_exec',
    'AMI users: app_userevent|res_manager',
    'media from elsewhere: curl|http_media_cache|audiosocket|chan_rtp|chan_iax2',
  ])('%s are not loaded', (absent) => {
    const [, pattern] = absent.split(': ')
    expect(MODULES.filter((name) => new RegExp(pattern!).test(name))).toEqual([])
  })

  test('functions that read and write files are disabled, and the manager is off', () => {
    expect(section(config, 'asterisk.conf', 'options')).toContain('live_dangerously = no')
    expect(section(config, 'manager.conf', 'general')).toEqual(['enabled = no'])
  })

  test('two switches on one machine have different ids', () => {
    expect(section(config, 'asterisk.conf', 'options')).toContain(`entityid = ${entityId('/srv/run')}`)
    expect(entityId('/srv/run')).not.toBe(entityId('/srv/other'))
    expect(entityId('/srv/run')).toMatch(/^02(:[0-9a-f]{2}){5}$/)
  })

  test('the same input gives the same bytes', () => {
    expect([...configOf(FULL)]).toEqual([...config])
  })

  test('for an Asterisk of somebody else all written files are below its own folder, and no call events', () => {
    const files = foreignConfig({ installation: FULL, secret: secretOf, tree, ari }, '/switchboard')
    const folders = section(files, 'asterisk.conf', 'directories')
    expect(folders).toContain('astetcdir = /switchboard')
    const outside = folders.filter((line) => !/= \/switchboard(\/|$)/.test(line)).map((line) => line.split(' = ')[0])
    expect(outside).toEqual(['astmoddir', 'astdatadir'])
    expect([files.get('cel_custom.conf'), files.get('modules.conf')]).toEqual([
      undefined,
      expect.not.stringContaining('cel_custom'),
    ])
    expect(section(files, 'cel.conf', 'general')).toEqual(['enable = no'])
  })
})
