/** Where transactions tell that something changed (LISTEN/NOTIFY); the payload is a word of `News` (ports/records). */
export const NEWS_CHANNEL = 'switchboard_news'
