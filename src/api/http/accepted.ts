import { headerValues, type IncomingRequest } from './incoming-request.js';

/**
 * Returns the values of an Accept header, best first; undefined if the header is absent. Omits values with a quality
 * of 0. Reference: org.eclipse.jetty.http.QuotedQualityCSV.
 * @param rankOf rank that orders values of equal quality, highest first
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

/** Splits a value into its text, including other parameters, and its quality `q`. An invalid quality is 0. */
function readValue(text: string): { readonly value: string; readonly quality: number } {
  const [first = '', ...parameters] = text.split(';').map((part) => part.trim());
  const at = parameters.findIndex((parameter) => /^q\s*=/.test(parameter));
  const quality = at < 0 ? 1 : Number(parameters[at]?.replace(/^q\s*=\s*"?|"$/g, '') || Number.NaN);
  const others = parameters.filter((parameter, index) => index !== at && parameter !== '');
  return { value: [first, ...others].join(';'), quality: Number.isNaN(quality) ? 0 : quality };
}

/** Returns how specific a media type is. Reference: QuotedQualityCSV.MOST_SPECIFIC_MIME_ORDERING */
export function rankOfType(type: string): number {
  if (type === '*/*') return 0;
  if (type.endsWith('/*')) return 1;
  return type.includes(';') ? 3 : 2;
}
