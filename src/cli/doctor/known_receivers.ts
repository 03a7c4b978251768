/**
 * A known USB device that may be a receiver. Vendor and product ids are hexadecimal, as in the lists of USB-IF and
 * linux-usb.org.
 */
type UsbReceiver = {
  vendor: string;
  /** Product id; null for every product of the vendor. */
  product: string | null;
  /** Name of the device, and the receiver that it may be. */
  what: string;
  /** Link options without name and address, one text for each kind of receiver that uses the chip. */
  links: readonly string[];
};

const sniffle = 'baud=2000000,protocol=sniffle';
const esp32 = 'protocol=odid_json,silence_s=150';
const mavlink = 'baud=57600,protocol=mavlink';

export const usbReceivers: readonly UsbReceiver[] = [
  { vendor: '303a', product: null, what: 'an Espressif board, such as an ESP32 Remote ID receiver', links: [esp32] },
  {
    ...{ vendor: '10c4', product: 'ea60', what: 'a CP2102 bridge: a Sniffle dongle, or an ESP32 Remote ID receiver' },
    links: [sniffle, esp32],
  },
  {
    ...{ vendor: '1a86', product: '55d4', what: 'a CH9102 bridge: a Sniffle dongle, or an ESP32 Remote ID receiver' },
    links: [sniffle, esp32],
  },
  { vendor: '1a86', product: '7523', what: 'a CH340 bridge, such as an ESP32 Remote ID receiver', links: [esp32] },
  {
    ...{ vendor: '2fe3', product: null, what: 'a Zephyr board, such as a Bluetooth controller with HCI over H4' },
    links: ['baud=1000000,protocol=hci_h4'],
  },
  { vendor: '1546', product: null, what: 'a u-blox GNSS receiver', links: ['baud=9600,protocol=nmea'] },
  { vendor: '26ac', product: null, what: 'a PX4 autopilot', links: [mavlink] },
  { vendor: '2dae', product: null, what: 'a CubePilot autopilot', links: [mavlink] },
  { vendor: '1209', product: '5740', what: 'an ArduPilot autopilot', links: [mavlink] },
  {
    ...{ vendor: '0403', product: '6015', what: 'an FTDI bridge, such as a telemetry radio of vehicles' },
    links: [mavlink],
  },
];

/** TCP ports on which programs of the box serve data of receivers, with link options without name and address. */
export const servedReceivers: readonly { port: number; what: string; link: string }[] = [
  { port: 30_003, what: 'BaseStation output of readsb or dump1090 (ADS-B)', link: 'protocol=sbs' },
  { port: 30_047, what: 'JSON of readsb (ADS-B)', link: 'protocol=readsb_json' },
  { port: 1_883, what: 'topics of an MQTT broker, where DroneScout and DragonSync publish', link: 'protocol=mqtt' },
];
