import { describe, expect, test } from 'vitest'
import { readSettings, settingsTable } from '../../src/app/settings.ts'

const ARI = { ARI_URL: 'http://127.0.0.1:8088/ari', ARI_USER: 'u', ARI_PASSWORD: 'p' }

describe('settings', () => {
  test('given no variables, are the defaults', () => {
    expect(readSettings({})).toEqual({
      settings: {
        dataDir: '.data',
        databaseUrl: undefined,
        environment: 'production',
        corporation: 'Switchboard',
        allowsRoot: false,
        smsCountries: [],
        abroad: { callsMax: 1_000, talkMaxMs: 120_000_000, textsMax: 500 },
        httpHost: '127.0.0.1',
        trustedProxies: [],
        secondFactorRoles: [],
        httpPort: 8080,
        ssoPort: 8081,
        endpoint: 'http://127.0.0.1:8080',
        node: 'node-1',
        redisUrl: undefined,
        setupFile: 'switchboard.yaml',
        flowsDir: 'flows',
        pbx: 'asterisk',
        ari: undefined,
        twilio: undefined,
        transcribe: undefined,
        summarise: undefined,
        logLevel: 'info',
        diskFreeBytesMin: 256 * 1024 * 1024,
        journalFileBytesMax: 64 * 1024 * 1024,
        journalFilesMax: 32,
        retention: {
          recordingDays: 90,
          transcriptDays: 180,
          taskDays: 730,
          caseDays: 730,
          contactDays: 730,
          journalDays: 30,
          auditDays: 1_825,
        },
      },
      problems: [],
      warnings: [],
    })
  })

  test('are read from their variables', () => {
    const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+4570001000' }
    const { settings } = readSettings({ ...ARI, ...twilio, PBX: 'simulated', JOURNAL_FILE_MB: '2', DATA_DIR: '/data' })
    expect(settings).toMatchObject({
      dataDir: '/data',
      pbx: 'simulated',
      ari: { url: ARI.ARI_URL, user: 'u', password: 'p' },
      twilio: { accountSid: 'AC1', authToken: 't', from: '+4570001000', baseUrl: undefined },
      journalFileBytesMax: 2 * 1024 * 1024,
    })
  })

  test('of services are an address, a model and, if needed, a key', () => {
    const { settings } = readSettings({
      TRANSCRIBE_URL: 'http://127.0.0.1:9000/v1/',
      SUMMARISE_URL: 'https://ai.example.com/v1',
      SUMMARISE_KEY: 'k',
      SUMMARISE_MODEL: 'small',
    })
    expect(settings).toMatchObject({
      transcribe: { url: 'http://127.0.0.1:9000/v1', key: undefined, model: 'whisper-1' },
      summarise: { url: 'https://ai.example.com/v1', key: 'k', model: 'small' },
    })
    const { problems } = readSettings({ SUMMARISE_URL: 'https://ai.example.com/v1' })
    expect(problems[0]).toContain('SUMMARISE_URL set without SUMMARISE_MODEL')
  })

  test('describe a speech server and what it may cost', () => {
    const { settings } = readSettings({ SPEECH_URL: 'https://ai.example.com/v1/', SPEECH_DAILY_CHARACTERS: '0' })
    expect(settings?.speech).toEqual({
      url: 'https://ai.example.com/v1',
      key: undefined,
      model: 'tts-1',
      voice: 'alloy',
      charactersPerDay: 0,
    })
    expect(readSettings({ SPEECH_KEY: 'k' }).settings?.speech).toBeUndefined()
  })

  test('treat an empty variable as absent', () => {
    expect(readSettings({ PBX: '', ARI_URL: '', JOURNAL_FILES: '' }).problems).toEqual([])
  })

  test.each([
    [
      { TRANSCRIBE_URL: 'http://[' },
      'TRANSCRIBE_URL is invalid; set it to an address that starts with http:// or https://',
    ],
    [
      { SECOND_FACTOR_ROLES: 'admin, boss' },
      'SECOND_FACTOR_ROLES is invalid; set it to roles, separated by commas: admin, supervisor',
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, proxy' },
      'TRUSTED_PROXIES is invalid; set it to addresses and networks, such as 127.0.0.1, 10.0.0.0/8',
    ],
    [{ PBX: 'freeswitch' }, 'PBX is invalid; set it to one of asterisk, simulated'],
    [{ JOURNAL_FILES: '1' }, 'JOURNAL_FILES is invalid; set it to a whole number from 2 to 10000'],
    [{ JOURNAL_FILE_MB: 'many' }, 'JOURNAL_FILE_MB is invalid; set it to a whole number from 1 to 1024'],
    [{ JOURNAL_FILE_MB: '1.5' }, 'JOURNAL_FILE_MB is invalid; set it to a whole number from 1 to 1024'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is invalid; set it to one of trace, debug, info, warn, error, fatal, silent'],
    [{ ...ARI, ARI_URL: '127.0.0.1' }, 'ARI_URL is invalid; set it to an address that starts with http:// or https://'],
    [
      { ...ARI, ARI_PASSWORD: '' },
      'ARI_URL and ARI_USER set without ARI_PASSWORD; set all of ARI_URL, ARI_USER, ARI_PASSWORD, or none',
    ],
    [
      { TWILIO_FROM: '+45' },
      'TWILIO_FROM set without TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; ' +
        'set all of TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, or none',
    ],
  ])('given %o, name the setting to correct', (env, problem) => {
    expect(readSettings(env)).toEqual({ problems: [problem], warnings: [] })
  })

  test('given a misspelt variable, suggest the right name', () => {
    const { settings, warnings } = readSettings({ FLOW_DIR: 'x', API_URL: 'of another program', PATH: '/bin' })
    expect(warnings).toEqual(['FLOW_DIR is set but is not a setting; did you mean FLOWS_DIR?'])
    expect(settings).toBeDefined()
  })

  test('never repeat a value, which may be a secret', () => {
    const { problems } = readSettings({ ARI_URL: 'hunter2', ARI_USER: 'hunter2', PBX: 'hunter2' })
    expect(problems.join('\n')).not.toContain('hunter2')
  })

  test('are listed in a table for the documentation', () => {
    const table = settingsTable().split('\n')
    expect(table.slice(0, 3)).toEqual([
      '| Variable | Default | Meaning |',
      '|---|---|---|',
      '| `DATA_DIR` | `.data` | Folder for all files of the service: database, journal, sounds, private Asterisk |',
    ])
    expect(table).toHaveLength(56)
  })
})
