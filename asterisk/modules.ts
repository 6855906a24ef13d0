import { configText, section } from './config-text.ts'

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
  'res_http_websocket',
  'res_websocket_client',
  'res_musiconhold',
  'res_security_log',
  // Dialplan, and the applications that it calls.
  'pbx_config',
  'app_stasis',
  'app_playback',
  'func_callerid',
  'func_channel',
  'func_strings',
  // Barge-in by voice: whether the caller speaks over a prompt.
  'func_talkdetect',
  // The channel event log.
  'res_cdrel_custom',
  'cel_custom',
  // G.711 on the wire; prompts and music on hold are GSM files, speech is wav.
  'codec_ulaw',
  'codec_alaw',
  'codec_a_mu',
  'codec_gsm',
  'format_pcm',
  'format_wav',
  'format_gsm',
  'format_sln',
  'bridge_simple',
  'bridge_native_rtp',
  'bridge_softmix',
  'bridge_holding',
  // SIP.
  'res_rtp_asterisk',
  'res_pjproject',
  'res_pjsip',
  'res_pjsip_session',
  'res_pjsip_sdp_rtp',
  'res_pjsip_caller_id',
  'res_pjsip_header_funcs',
  'res_pjsip_dtmf_info',
  'res_pjsip_rfc3326',
  'res_pjsip_nat',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_authenticator_digest',
  'res_pjsip_outbound_authenticator_digest',
  'res_pjsip_registrar',
  'res_pjsip_pubsub',
  // Without it no REFER is sent (measured, 22.10.1). Those of peers are refused: `allow_transfer=no`.
  'res_pjsip_refer',
  // Copies of SIP messages for the engine, which sees answers that cross a CANCEL.
  'res_hep',
  'res_hep_pjsip',
  'chan_pjsip',
  // Playback into a whole bridge.
  'chan_bridge_media',
  // The sound of who answered, to the engine. A connection needs the random id of a channel that waits for it; without
  // one the server answers 404 (measured, 22.10.1).
  'chan_websocket',
  // ARI. The two channels of a recording need `res_stasis_snoop`.
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

/** `modules.conf`: exactly the list above. */
export function modulesConfig(): string {
  return configText([
    section('modules', ['autoload', 'no'], ...MODULES.map((name) => ['require', `${name}.so`] as const)),
  ])
}
