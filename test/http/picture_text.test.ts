import t from 'tap';
import { sampleAsset, sampleAssignment } from '../../src/http/openapi/registry_samples.ts';
import { samplePicture } from '../../src/http/openapi/samples.ts';
import { pictureText } from '../../src/http/picture_text.ts';
import type { Picture } from '../../src/model/picture.ts';

t.test('a picture is written as JSON writes it, whatever was written before', async (t) => {
  const other = { ...sampleAsset, name: 'another "name"' };
  const pictures: Picture[] = [
    samplePicture,
    { ...samplePicture, assets: [], assignments: [] },
    { ...samplePicture, seq: 8, assets: [sampleAsset, other], assignments: [sampleAssignment] },
    { ...samplePicture, assets: [{ ...other, version: 2 }, sampleAsset] },
  ];
  for (const picture of [...pictures, ...pictures]) t.equal(pictureText(picture), JSON.stringify(picture));
});

t.test('rows that stay as they are, are written once', async (t) => {
  let written = 0;
  const counted = (n: number) => {
    const toJSON = (): object => {
      written++;
      return { ...sampleAsset, name: `Heron ${n}` };
    };
    return { ...sampleAsset, toJSON };
  };
  const assets = Array.from({ length: 100 }, (_, n) => counted(n));
  pictureText({ ...samplePicture, assets });
  pictureText({ ...samplePicture, assets: [...assets, counted(100)] });
  t.equal(written, 101);
});
