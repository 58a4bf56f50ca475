import { headerValues, type IncomingRequest } from './incoming-request.js';

/**
 * Values of a header that lists what a client takes, the best first; undefined where there is no such header. What has
 * a quality of 0 is left out. Reference: org.eclipse.jetty.http.QuotedQualityCSV.
 * @param rankOf of values of one quality those with the higher rank come first
 */
export function acceptedValues(
  request: Pick<IncomingRequest, 'rawHeaders'>,
  header: string,
  rankOf: (value: string) => number = () => 0,
): readonly string[] | undefined {
  const texts = headerValues(request, header);
  if (texts.length === 0) return undefined;
  return texts
    .flatMap((text) => text.split(','))
    .map(readValue)
    .filter(({ value, quality }) => value !== '' && quality !== 0)
    .sort((a, b) => b.quality - a.quality || rankOf(b.value) - rankOf(a.value))
    .map(({ value }) => value);
}

/** A value with its parameters, but for its quality, which ends it. */
function readValue(text: string): { readonly value: string; readonly quality: number } {
  const [first = '', ...parameters] = text.split(';').map((part) => part.trim());
  const at = parameters.findIndex((parameter) => /^q\s*=/.test(parameter));
  const quality = at < 0 ? 1 : Number(parameters[at]?.replace(/^q\s*=\s*"?|"$/g, '') || Number.NaN);
  const others = parameters.filter((parameter, index) => index !== at && parameter !== '');
  return { value: [first, ...others].join(';'), quality: Number.isNaN(quality) ? 0 : quality };
}

/** How special a type is. Reference: QuotedQualityCSV.MOST_SPECIFIC_MIME_ORDERING */
export function rankOfType(type: string): number {
  if (type === '*/*') return 0;
  if (type.endsWith('/*')) return 1;
  return type.includes(';') ? 3 : 2;
}
