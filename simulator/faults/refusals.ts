import { respond, type SimulatedResponse } from '../http/response.ts';
import type { StoreRequest } from '../http/request.ts';
import type { FaultRule } from './fault-injector.ts';

/** A store's refusal; null for a rule of another kind. */
export function refuse(rule: FaultRule, request: StoreRequest): SimulatedResponse | null {
  const made = makeRefusal(rule.fault, request);
  if (made && rule.retryAfterSeconds !== undefined)
    made.headers['retry-after'] = String(rule.retryAfterSeconds);
  return made;
}

function makeRefusal(fault: FaultRule['fault'], request: StoreRequest): SimulatedResponse | null {
  switch (fault) {
    case '403':
      return { status: 403, headers: {}, body: Buffer.alloc(0) };
    case '429':
      return respond(429, 'html', tooMany);
    case '502':
      return respond(
        502,
        'html',
        '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad ' +
          'Gateway</h1></body></html>',
      );
    case '503':
      return respond(
        503,
        'html',
        '<html><head><title>Error 503 (Service Unavailable)</title></head><body></body></html>',
      );
    case 'captcha':
      return respond(200, 'html', captchaPage);
    case 'sorry':
      return redirect(
        'www.google.com',
        `/sorry/index?continue=${encodeURIComponent(request.url.href)}`,
        request,
      );
    case 'consent':
      return redirect(
        'consent.google.com',
        `/m?continue=${encodeURIComponent(request.url.href)}&gl=DE&m=0`,
        request,
      );
    default:
      return null;
  }
}

/** The pages behind the redirects; 404 for an unknown host. */
export function handleSideHost(request: StoreRequest): SimulatedResponse {
  if (request.host === 'consent.google.com') return respond(200, 'html', consentPage);
  if (request.host === 'www.google.com') return respond(429, 'html', captchaPage);
  return respond(404, 'text', 'no such store');
}

/**
 * Redirects within the simulator: to one of its paths, or to the host when it is used as a proxy.
 */
function redirect(host: string, path: string, request: StoreRequest): SimulatedResponse {
  const location = request.proxied ? `http://${host}${path}` : `/${host}${path}`;
  const made = respond(
    302,
    'html',
    '<HTML><BODY>The document has moved <A ' +
      `HREF="${location.replace(/&/g, '&amp;')}">here</A></BODY></HTML>`,
  );
  made.headers['location'] = location;
  return made;
}

const tooMany =
  '<html><head><title>429 Too Many Requests</title></head><body><h1>429 Too Many ' +
  "Requests</h1>We're sorry, but you have sent too many requests to us recently. Please " +
  'reduce your request rate and try again later.</body></html>';
const captchaPage =
  '<html><head><title>Sorry</title></head><body><form id="captcha-form"><div id="recaptcha" ' +
  'class="g-recaptcha"></div></form>Our systems have detected unusual traffic from your ' +
  'computer network.</body></html>';
const consentPage =
  '<!doctype html><html><head><title>Before you continue</title></head><body><h1>Before you ' +
  'continue to Google Play</h1><form action="https://consent.google.com/save" ' +
  'method="POST"></form></body></html>';
