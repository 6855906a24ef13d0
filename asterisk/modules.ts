import type { InstallationConfig } from '../src/installation/config.ts'
import type { ConfigInput } from './config-input.ts'
import { configText, section } from './config-text.ts'

/** The oldest version without known holes (CVE-2026-57191): a crafted NOTIFY stopped all SIP of older ones. */
export const VERSION_MIN = '22.10.1'

/**
 * Without these, calls, requests or sounds of the engine fail on any Asterisk. The rest of what is loaded serves our
 * configuration: another Asterisk may do it in another way (rest-17).
 */
export const NEEDED_MODULES: readonly string[] = [
  // Calls reach the engine, and leave over SIP.
  'app_stasis',
  'chan_pjsip',
  'res_pjsip',
  'res_pjsip_session',
  'res_pjsip_sdp_rtp',
  'res_pjsip_caller_id',
  'res_pjsip_header_funcs',
  'res_rtp_asterisk',
  // G.711 on the wire; speech is wav.
  'codec_ulaw',
  'codec_alaw',
  'format_wav',
  'res_musiconhold',
  'bridge_simple',
  'bridge_softmix',
  'bridge_holding',
  // Barge-in by voice: whether the caller speaks over a prompt.
  'func_talkdetect',
  // Playback into a whole bridge.
  'chan_bridge_media',
  // The sound of who answered, to the engine. A connection needs the random id of a channel that waits for it; without
  // one the server answers 404 (measured, 22.10.1).
  'chan_websocket',
  // ARI. The two channels of a recording need `res_stasis_snoop`.
  'res_http_websocket',
  'res_stasis',
  'res_stasis_answer',
  'res_stasis_playback',
  'res_stasis_recording',
  'res_stasis_snoop',
  'res_ari',
  'res_ari_model',
  'res_ari_applications',
  'res_ari_asterisk',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_endpoints',
  'res_ari_events',
  'res_ari_playbacks',
  'res_ari_recordings',
]

/** Each opens a port to strangers beside SIP, with guests of its own: production does not start with one (F-A19). */
export const DANGEROUS_MODULES: readonly string[] = [
  'chan_iax2',
  'chan_mgcp',
  'chan_skinny',
  'chan_sip',
  'chan_unistim',
  'pbx_dundi',
]

/** Opus (RFC 6716) for browsers at home; Debian's Asterisk has it. Both ends of a call with it are transcoded. */
const OPUS_MODULES: readonly string[] = ['codec_opus_open_source', 'res_format_attr_opus']

/** The channel event log. */
const CALL_EVENTS: readonly string[] = ['res_cdrel_custom', 'cel_custom']

/**
 * All that is loaded; what stands here is needed, so Asterisk refuses to start without it (`require`).
 *
 * Deliberately absent (faults.md 4.4): anonymous and user-name identification, subscriptions, presence and message
 * waiting, AMI, AGI, `System()`, fetching media from the web, AudioSocket media, and the channel
 * drivers of other protocols. Dependencies are not pulled in: with `autoload=no` each is named.
 */
export const MODULES: readonly string[] = [
  // Required by the others. PJSIP keeps contacts in astdb and the rest in memory and files.
  'res_timing_timerfd',
  'res_sorcery_config',
  'res_sorcery_memory',
  'res_sorcery_astdb',
  'res_websocket_client',
  'res_security_log',
  // Dialplan, and the applications that it calls.
  'pbx_config',
  'app_playback',
  'func_callerid',
  'func_channel',
  'func_strings',
  ...CALL_EVENTS,
  // Prompts are GSM files, music on hold is signed linear.
  'codec_a_mu',
  'codec_gsm',
  'format_pcm',
  'format_gsm',
  'format_sln',
  'bridge_native_rtp',
  // SIP.
  'res_pjproject',
  'res_pjsip_dtmf_info',
  'res_pjsip_rfc3326',
  'res_pjsip_nat',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_authenticator_digest',
  'res_pjsip_outbound_authenticator_digest',
  'res_pjsip_registrar',
  // Phones in browsers: SIP over WebSocket, and encrypted sound.
  'res_pjsip_transport_websocket',
  'res_srtp',
  'res_pjsip_pubsub',
  // Without it no REFER is sent (measured, 22.10.1). Those of peers are refused: `allow_transfer=no`.
  'res_pjsip_refer',
  // Copies of SIP messages for the engine, which sees answers that cross a CANCEL.
  'res_hep',
  'res_hep_pjsip',
  ...OPUS_MODULES,
  ...NEEDED_MODULES,
]

/** What an Asterisk loads whose call events nobody reads, and which need not be able to transcode Opus. */
export function foreignModules(installation: InstallationConfig): readonly string[] {
  const unused = [...CALL_EVENTS, ...(hasOpus(installation) ? [] : OPUS_MODULES)]
  return MODULES.filter((name) => !unused.includes(name))
}

/** Whether the browser of any agent talks Opus. */
function hasOpus({ phones }: InstallationConfig): boolean {
  return [...phones.values()].some((phone) => phone.kind === 'browser' && phone.isOpus === true)
}

/** What the engine needs of any Asterisk with this configuration. */
export function neededModules(installation: InstallationConfig): readonly string[] {
  return hasOpus(installation) ? [...NEEDED_MODULES, ...OPUS_MODULES] : NEEDED_MODULES
}

/** `modules.conf`: exactly one of the two lists above. */
export function modulesConfig({
  foreignFolder,
  installation,
}: Pick<ConfigInput, 'foreignFolder' | 'installation'>): string {
  const loaded = foreignFolder === undefined ? MODULES : foreignModules(installation)
  return configText([
    section('modules', ['autoload', 'no'], ...loaded.map((name) => ['require', `${name}.so`] as const)),
  ])
}
